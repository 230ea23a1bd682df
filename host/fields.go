package host

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// field is one key of the configuration: its place in a struct, and what the tags there
// say about it.
type field struct {
	name     string
	index    int
	typ      reflect.Type
	doc      string
	required bool
	expand   bool     // its texts may hold ${…}
	secret   bool     // nothing of its values is ever shown
	min, max int      // of a number
	enum     []string // of a text; "" among them: it may be left out
	form     string   // of a text that is not empty, in words
	pattern  string   // the same as a regular expression
}

// fieldsOf lists the keys of a struct in the order in which they are declared.
func fieldsOf(t reflect.Type) []field {
	fields := make([]field, t.NumField())
	for i := range fields {
		declared := t.Field(i)
		fields[i] = field{
			name:     declared.Tag.Get("yaml"),
			index:    i,
			typ:      declared.Type,
			doc:      declared.Tag.Get("doc"),
			required: declared.Tag.Get("required") == "true",
			expand:   declared.Tag.Get("expand") == "true",
			secret:   declared.Tag.Get("secret") == "true",
			min:      bound(declared.Tag, "min", 0),
			max:      bound(declared.Tag, "max", math.MaxInt32),
			form:     declared.Tag.Get("form"),
			pattern:  declared.Tag.Get("pattern"),
		}
		if words, ok := declared.Tag.Lookup("enum"); ok {
			fields[i].enum = strings.Split(words, ",")
		}
	}
	return fields
}

// bound reads a number's bound. A test holds every tag to be a number.
func bound(tag reflect.StructTag, name string, otherwise int) int {
	if n, err := strconv.Atoi(tag.Get(name)); err == nil {
		return n
	}
	return otherwise
}

// choices are the texts that the enum names.
func (f field) choices() []string {
	var words []string
	for _, word := range f.enum {
		if word != "" {
			words = append(words, word)
		}
	}
	return words
}

// structOf is the struct that a key holds, directly, behind a pointer or as the values of
// a mapping or list; nil if it holds none.
func structOf(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		return t
	}
	return nil
}

// prefilled is a new value of a type, with its defaults where it is an entry of a table.
func prefilled(t reflect.Type) reflect.Value {
	value := reflect.New(t).Elem()
	switch t {
	case reflect.TypeFor[Server]():
		value.Set(reflect.ValueOf(DefaultServer()))
	case reflect.TypeFor[Module]():
		value.Set(reflect.ValueOf(DefaultModule()))
	case reflect.TypeFor[HTTPRule]():
		value.Set(reflect.ValueOf(DefaultHTTPRule()))
	}
	return value
}

// number says which numbers a key takes.
func (f field) number() string {
	return fmt.Sprintf("a whole number from %d to %d", f.min, f.max)
}
