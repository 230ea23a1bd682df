package ignore

import "strings"

// pattern is a line of an ignore file.
type pattern struct {
	negated    bool // it takes back what lines before it said
	foldersToo bool // only folders are meant
	baseName   bool // it is about the last name of a path, at any depth below its file
	literal    string
	glob       glob // nil: literal is all of it
}

// maxPatterns bounds the lines of one file that count.
const maxPatterns = 5_000

// parse reads an ignore file.
func parse(text string) []pattern {
	var patterns []pattern
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		line = strings.TrimSuffix(line, "\r")
		if len(patterns) == maxPatterns {
			break
		}
		if p, ok := parseLine(line); ok {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

func parseLine(line string) (pattern, bool) {
	if strings.HasPrefix(line, "#") {
		return pattern{}, false
	}
	line = withoutBlanks(line)
	var p pattern
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.foldersToo = strings.CutSuffix(line, "/")
	p.baseName = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return pattern{}, false
	}
	p.literal = line
	if strings.ContainsAny(line, special) {
		g, ok := compile(line)
		if !ok {
			return pattern{}, false
		}
		p.glob = g
	}
	return p, true
}

// withoutBlanks takes off the blanks at the end that no backslash protects.
func withoutBlanks(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' {
			if i++; i == len(line) {
				return line
			}
		} else if line[i] == ' ' {
			continue
		}
		end = i + 1
	}
	return line[:end]
}

// matches reports whether a path, relative to the folder of the ignore file, is meant.
func (p *pattern) matches(path string, folder bool) bool {
	if p.foldersToo && !folder {
		return false
	}
	if p.baseName {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	if p.glob == nil {
		return path == p.literal
	}
	return p.glob.match(path)
}
