package host

import (
	_ "embed"
	"fmt"
	"reflect"
	"strings"
)

//go:embed reference.md
var referenceText string

// Reference is docs/config.md: how a configuration is written, and a table of every key.
func Reference() []byte {
	var b strings.Builder
	b.WriteString(referenceText)
	writeTable(&b, "Top level", "", reflect.ValueOf(DefaultConfig()))
	return []byte(b.String())
}

// writeTable documents a struct, and after it the structs in it.
func writeTable(b *strings.Builder, title, prefix string, defaults reflect.Value) {
	fmt.Fprintf(b, "\n### %s\n\n| Key | Type | Default | Range | Meaning |\n| --- | --- | --- | --- | --- |\n", title)
	fields := fieldsOf(defaults.Type())
	for _, f := range fields {
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", f.name, typeName(f), defaultText(defaults.Field(f.index), f), rangeText(f), f.doc)
	}
	for _, f := range fields {
		inner := structOf(f.typ)
		if inner == nil {
			continue
		}
		name, value := prefix+f.name, prefilled(inner)
		switch f.typ.Kind() {
		case reflect.Map:
			name += ".<id>"
		case reflect.Slice:
			name += "[]"
		case reflect.Struct:
			value = defaults.Field(f.index)
		}
		writeTable(b, "`"+name+"`", name+".", value)
	}
}

func typeName(f field) string {
	switch f.typ.Kind() {
	case reflect.Int:
		return "whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text"
	case reflect.Slice:
		if structOf(f.typ) != nil {
			return "list of mappings, below"
		}
		return "list of texts"
	case reflect.Interface:
		return "any value"
	case reflect.Map:
		if structOf(f.typ) == nil {
			return "mapping of texts"
		}
	}
	return "mapping, below"
}

func defaultText(value reflect.Value, f field) string {
	switch {
	case f.required:
		return "required"
	case value.Kind() == reflect.Slice:
		return "`[]`"
	case value.Kind() == reflect.Map:
		return "`{}`"
	case value.Kind() == reflect.Struct:
		return "below"
	case value.IsZero() && value.Kind() != reflect.Int && value.Kind() != reflect.Bool:
		return "none"
	}
	return fmt.Sprintf("`%v`", value.Interface())
}

func rangeText(f field) string {
	switch {
	case f.typ.Kind() == reflect.Int:
		return fmt.Sprintf("%d to %d", f.min, f.max)
	case f.form != "":
		return f.form
	case f.enum != nil:
		return "`" + strings.Join(f.choices(), "`, `") + "`"
	}
	return ""
}
