package tool

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func TestArguments(t *testing.T) {
	for name, test := range map[string]struct {
		raw  string
		want Question
	}{
		"character":              {`{"operation":"hover","file_path":"a.go","line":12,"character":5}`, Question{seam.OpHover, "a.go", 12, 5, ""}},
		"symbol":                 {`{"operation":"goToDefinition","file_path":"a.go","line":1,"symbol":"x.Total"}`, Question{seam.OpGoToDefinition, "a.go", 1, 0, "x.Total"}},
		"both":                   {`{"operation":"findReferences","file_path":"a.go","line":1,"character":7,"symbol":"x"}`, Question{seam.OpFindReferences, "a.go", 1, 7, "x"}},
		"A-187 whole numbers":    {`{"operation":"hover","file_path":"a","line":12.0,"character":1.2e1}`, Question{seam.OpHover, "a", 12, 12, ""}},
		"null is absent":         {`{"operation":"hover","file_path":"a","line":1,"character":null,"symbol":"x"}`, Question{seam.OpHover, "a", 1, 0, "x"}},
		"0 is absent":            {`{"operation":"hover","file_path":"a","line":1,"character":0.0,"symbol":"x"}`, Question{seam.OpHover, "a", 1, 0, "x"}},
		"empty text is absent":   {`{"operation":"hover","file_path":"a","line":1,"character":3,"symbol":""}`, Question{seam.OpHover, "a", 1, 3, ""}},
		"each in the other kind": {`{"operation":"hover","file_path":"a","line":1,"character":"","symbol":"x"}`, Question{seam.OpHover, "a", 1, 0, "x"}},
		"A-187 untrimmed":        {`{"operation":"goToImplementation","file_path":" a.go ","line":1,"character":1}`, Question{seam.OpGoToImplementation, " a.go ", 1, 1, ""}},
		"blanks around":          {"\n\t {\"operation\" : \"hover\", \"file_path\":\"a\", \"line\":1, \"character\":1 } \n", Question{seam.OpHover, "a", 1, 1, ""}},
		"escapes":                {`{"\u006fperation":"hover","file_path":"\u00e9\ud83d\ude00","line":1,"character":1}`, Question{seam.OpHover, "é😀", 1, 1, ""}},
		"the largest":            {`{"operation":"hover","file_path":"a","line":2147483647,"character":2147483647}`, Question{seam.OpHover, "a", seam.MaxCoordinate, seam.MaxCoordinate, ""}},
		"a name like a URI":      {`{"operation":"hover","file_path":"file:a","line":1,"character":1}`, Question{seam.OpHover, "file:a", 1, 1, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parseArguments(json.RawMessage(test.raw))
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

// A file: URI is taken for its path, which models find in what other tools say.
func TestArgumentsWithURI(t *testing.T) {
	uri, path := "file:///w/a%20b.go", "/w/a b.go"
	if runtime.GOOS == "windows" {
		uri, path = "file:///C:/w/a%20b.go", `C:\w\a b.go`
	}
	got, err := parseArguments(json.RawMessage(`{"operation":"hover","file_path":"` + uri + `","line":1,"character":1}`))
	require.NoError(t, err)
	require.Equal(t, path, got.File)
}

// what is wrong is told, with what was given and what to give.
func TestArgumentsRefused(t *testing.T) {
	with := func(key, value string) string {
		values := map[string]string{"operation": `"hover"`, "file_path": `"a.go"`, "line": "1", "character": "1", key: value}
		var parts []string
		for _, name := range argumentNames() {
			if v := values[name]; v != "" {
				parts = append(parts, `"`+name+`":`+v)
			}
		}
		if _, known := map[string]bool{"operation": true, "file_path": true, "line": true, "character": true, "symbol": true}[key]; !known {
			parts = append(parts, `"`+key+`":`+value)
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	for name, test := range map[string]struct{ raw, want string }{
		"nothing":                {"", "the arguments are missing: give one JSON object, such as {"},
		"null":                   {" null ", "the arguments are missing"},
		"a list":                 {"[1]", "the arguments are a list: give one JSON object"},
		"text":                   {`"x"`, `the arguments are the text "x"`},
		"a number":               {"7", "the arguments are 7"},
		"no JSON":                {"{", "the arguments are not JSON"},
		"two objects":            {"{}{}", "the arguments are not JSON"},
		"not UTF-8":              {"{\"operation\":\"\xff\"}", "the arguments are not UTF-8"},
		"a depth bomb":           {`{"line":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "the arguments are not JSON"},
		"too many":               {`{"symbol":"` + strings.Repeat("x", maxArguments) + `"}`, "the arguments have 65549 bytes, and the most is 65536"},
		"twice":                  {`{"line":1,"line":2}`, `the arguments have "line" twice`},
		"twice in other writing": {`{"line":1,"l\u0069ne":2}`, `the arguments have "line" twice`},

		"no operation":            {with("operation", ""), "operation is missing: give goToDefinition, findReferences, goToImplementation or hover"},
		"null operation":          {with("operation", "null"), "operation is missing"},
		"A-186 unknown operation": {with("operation", `"rename"`), `operation "rename" is unknown: give goToDefinition, findReferences, goToImplementation or hover`},
		"another case":            {with("operation", `"Hover"`), `operation "Hover" is unknown`},
		"empty operation":         {with("operation", `""`), `operation "" is unknown`},
		"a number for operation":  {with("operation", "3"), "operation must be text, not 3: give goToDefinition"},
		"an endless operation":    {with("operation", `"`+strings.Repeat("é", 500)+`"`), `operation "` + strings.Repeat("é", 30) + `"… is unknown`},

		"no file_path":           {with("file_path", ""), "file_path is missing: give the path of a source file"},
		"A-187 blank file_path":  {with("file_path", `" \t"`), "file_path is blank: give the path"},
		"a list for file_path":   {with("file_path", `["a.go"]`), "file_path must be text, not a list: give the path"},
		"an object for it":       {with("file_path", `{"path":"a"}`), "file_path must be text, not an object"},
		"true for it":            {with("file_path", "true"), "file_path must be text, not true"},
		"an endless path":        {with("file_path", `"`+strings.Repeat("x", 4097)+`"`), "file_path has 4097 bytes, and the most is 4096"},
		"a URI with a query":     {with("file_path", `"file:///a?b"`), `file_path "file:///a?b" is a URI that stands for no path here: give the path of a source file`},
		"a URI of another place": {with("file_path", `"FILE://machine.example/a%2Fb"`), "is a URI that stands for no path here"},

		"no line":               {with("line", ""), "line is missing: give a whole number from 1, such as 12"},
		"null line":             {with("line", "null"), "line is missing"},
		"A-187 line 0":          {with("line", "0"), "line is 0, and lines and characters are counted from 1: give a whole number from 1"},
		"A-187 a fraction":      {with("line", "1.5"), "line must be a whole number, not 1.5"},
		"a small fraction":      {with("line", "0.5"), "line must be a whole number, not 0.5"},
		"a negative line":       {with("line", "-3"), "line is -3, and lines and characters are counted from 1"},
		"text for line":         {with("line", `"12"`), `line must be a whole number, not the text "12": give a whole number`},
		"true for line":         {with("line", "true"), "line must be a whole number, not true"},
		"a huge line":           {with("line", "2147483648"), "line is 2147483648, and the largest is 2147483647"},
		"an infinite line":      {with("line", "1e999"), "line is 1e999, and the largest is 2147483647"},
		"minus infinity":        {with("line", "-1e999"), "line is -1e999, and lines and characters are counted from 1"},
		"many digits":           {with("line", strings.Repeat("9", 1000)), "line is a number of 1000 digits, and the largest is"},
		"a fraction of column":  {with("character", "2.5"), "character must be a whole number, not 2.5: give a whole number from 1, or leave it out and give symbol"},
		"a negative column":     {with("character", "-1"), "character is -1, and lines and characters are counted from 1"},
		"text for column":       {with("character", `"five"`), `character must be a whole number, not the text "five"`},
		"a list for symbol":     {with("symbol", "[]"), "symbol must be text, not a list: give the symbol's name as it stands on the line, or leave it out and give character"},
		"a blank symbol":        {with("symbol", `"  "`), "symbol is blank: give the symbol's name"},
		"a symbol of two lines": {with("symbol", `"a\nb"`), `symbol "a\nb" has more than one line`},
		"an endless symbol":     {with("symbol", `"`+strings.Repeat("x", 1001)+`"`), "symbol has 1001 bytes, and the most is 1000"},

		"neither of the two":      {with("character", ""), "neither symbol nor character says where on the line: give symbol, the name as it stands there, or character"},
		"neither, both written":   {`{"operation":"hover","file_path":"a","line":1,"character":0,"symbol":null}`, "neither symbol nor character says where"},
		"a slip":                  {with("filePath", `"a"`), `there is no argument "filePath": did you mean file_path?`},
		"another word":            {with("workspace", `"/"`), `there is no argument "workspace": the arguments are operation, file_path, line, character, symbol`},
		"an endless name":         {with(strings.Repeat("x", 5000), "1"), `there is no argument "` + strings.Repeat("x", 60) + `"…: the arguments are`},
		"all that is wrong":       {`{"operation":"x","line":"y"}`, `operation "x" is unknown: give goToDefinition, findReferences, goToImplementation or hover; file_path is missing`},
		"and the last of it":      {`{"operation":"x","line":"y"}`, "; neither symbol nor character says where"},
		"names that are no names": {`{"":1,"operation":"hover","file_path":"a","line":1,"character":1}`, `there is no argument ""`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseArguments(json.RawMessage(test.raw))
			require.ErrorContains(t, err, test.want)
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
			require.Less(t, len(err.Error()), 1_500)
		})
	}
}

// Whatever comes in: either a question that can be asked, or a refusal that can be shown.
func FuzzArguments(f *testing.F) {
	f.Add([]byte(`{"operation":"hover","file_path":"a","line":1,"symbol":"x"}`))
	f.Add([]byte(`{"operation":"goToDefinition","file_path":"file:///a","line":1e0,"character":-0}`))
	f.Add([]byte(`{"operation":null,"file_path":[],"line":{},"character":"","extra":1}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		q, err := parseArguments(raw)
		if err != nil {
			require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
			require.Less(t, len(err.Error()), 3_000)
			require.True(t, utf8.ValidString(Failure(err).Text))
			return
		}
		require.True(t, json.Valid(raw))
		require.True(t, q.Operation.Valid())
		require.NotEmpty(t, strings.TrimSpace(q.File))
		require.Positive(t, q.Line)
		require.LessOrEqual(t, q.Line, seam.MaxCoordinate)
		require.GreaterOrEqual(t, q.Character, 0)
		require.True(t, q.Character > 0 || strings.TrimSpace(q.Symbol) != "")
	})
}
