package host

import (
	"encoding/json"
	"reflect"
)

// schema is the part of JSON Schema that describes a configuration.
type schema struct {
	Dialect     string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Type        string             `json:"type,omitempty"`
	Default     any                `json:"default,omitempty"`
	Minimum     *int               `json:"minimum,omitempty"`
	Maximum     *int               `json:"maximum,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"` // false or a schema
	KeyNames    *schema            `json:"propertyNames,omitempty"`
	MinKeys     int                `json:"minProperties,omitempty"`
	MaxKeys     int                `json:"maxProperties,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Not         *schema            `json:"not,omitempty"`
}

// notBlank matches a text with something in it.
const notBlank = `\S`

// Schema is the JSON Schema (draft 2020-12) of the config file, for editors.
func Schema() []byte {
	root := structSchema(reflect.ValueOf(DefaultConfig()))
	root.Dialect = "https://json-schema.org/draft/2020-12/schema"
	root.Title = "Configuration of navseam"
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil // not reached: a test makes it
	}
	return append(text, '\n')
}

func structSchema(defaults reflect.Value) *schema {
	s := &schema{Type: "object", Additional: false, Properties: map[string]*schema{}}
	for _, f := range fieldsOf(defaults.Type()) {
		property := valueSchema(defaults.Field(f.index), f)
		property.Description = f.doc
		s.Properties[f.name] = property
		if f.required {
			s.Required = append(s.Required, f.name)
		}
	}
	switch defaults.Type() {
	case reflect.TypeFor[Server]():
		s.AnyOf = routed()
		s.Not = &schema{Required: []string{"configuration", "settings"}}
	case reflect.TypeFor[Module]():
		s.AnyOf = routed()
	case reflect.TypeFor[Config]():
		s.AnyOf = []*schema{withEntries("servers"), withEntries("modules")}
	case reflect.TypeFor[ReadyWhen]():
		s.MinKeys, s.MaxKeys = 1, 1
	}
	return s
}

// routed wants files that an entry serves.
func routed() []*schema {
	return []*schema{{Required: []string{"extensionToLanguage"}}, {Required: []string{"fileNameToLanguage"}}}
}

// withEntries wants something in a table.
func withEntries(table string) *schema {
	return &schema{Required: []string{table}, Properties: map[string]*schema{table: {MinKeys: 1}}}
}

func valueSchema(value reflect.Value, f field) *schema {
	switch value.Kind() {
	case reflect.Int:
		return &schema{Type: "integer", Minimum: &f.min, Maximum: &f.max, Default: value.Interface()}
	case reflect.Bool:
		return &schema{Type: "boolean", Default: value.Interface()}
	case reflect.String:
		s := &schema{Type: "string", Enum: f.choices(), Pattern: f.pattern}
		if f.required {
			s.Pattern = notBlank
		}
		if value.String() != "" {
			s.Default = value.Interface()
		}
		return s
	case reflect.Struct:
		return structSchema(value)
	case reflect.Pointer:
		return structSchema(prefilled(f.typ.Elem()))
	case reflect.Slice:
		return &schema{Type: "array", Items: valueSchema(prefilled(f.typ.Elem()), field{})}
	case reflect.Map:
		return &schema{Type: "object", Additional: valueSchema(prefilled(f.typ.Elem()), field{}), KeyNames: &schema{Pattern: notBlank}}
	}
	return &schema{} // any value
}
