package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/navseam/navseam/host"
)

// changedSettings lists by key the numbers, choices and switches of a part of the
// configuration that differ from its defaults. What has no default is not one of them.
func changedSettings(prefix string, part, defaults any) map[string]any {
	changed := map[string]any{}
	collectChanged(changed, prefix, reflect.ValueOf(part), reflect.ValueOf(defaults))
	return changed
}

// changedAtTop is [changedSettings] of what is no entry.
func changedAtTop(config host.Config) map[string]any {
	defaults := host.DefaultConfig()
	changed := changedSettings("limits.", config.Limits, defaults.Limits)
	maps.Copy(changed, changedSettings("tool.", config.Tool, defaults.Tool))
	return changed
}

func collectChanged(into map[string]any, prefix string, part, defaults reflect.Value) {
	for i := range part.NumField() {
		field := part.Type().Field(i)
		if field.Tag.Get("required") != "" {
			continue
		}
		key := prefix + field.Tag.Get("yaml")
		value, usual := part.Field(i), defaults.Field(i)
		if value.Kind() == reflect.Pointer && !value.IsNil() {
			value, usual = value.Elem(), reflect.Zero(value.Type().Elem())
		}
		switch value.Kind() {
		case reflect.Struct:
			collectChanged(into, key+".", value, usual)
		case reflect.Int, reflect.String, reflect.Bool:
			if !value.Equal(usual) {
				into[key] = value.Interface()
			}
		}
	}
}

func settingsText(settings map[string]any) string {
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		texts = append(texts, fmt.Sprintf("%s: %v", key, settings[key]))
	}
	return strings.Join(texts, ", ")
}
