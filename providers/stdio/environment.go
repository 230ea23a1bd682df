package stdio

import (
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// secretNames matches the names of variables that a language server has no use for and
// that must not leak into one.
var secretNames = regexp.MustCompile(`(?i)KEY|PASSWORD|SECRET|TOKEN|^NAVSEAM_`)

// Environment is what a server started with this configuration gets: the parent's
// environment without secrets, except for those that are allowed by name, and then what
// the configuration sets. Dropped lists the names that the scrub took out.
func Environment(parent, allow []string, set map[string]string) (env, dropped []string) {
	return environment(parent, allow, set, runtime.GOOS == "windows")
}

func environment(parent, allow []string, set map[string]string, foldCase bool) (env, dropped []string) {
	same := func(a, b string) bool { return a == b || foldCase && strings.EqualFold(a, b) }
	isSet := func(name string) bool {
		for key := range set {
			if same(key, name) {
				return true
			}
		}
		return false
	}
	for _, pair := range parent {
		name := variableName(pair)
		allowed := slices.ContainsFunc(allow, func(a string) bool { return same(a, name) })
		switch {
		case isSet(name):
		case secretNames.MatchString(name) && !allowed:
			dropped = append(dropped, name)
		default:
			env = append(env, pair)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		env = append(env, name+"="+set[name])
	}
	slices.Sort(dropped)
	return env, dropped
}

// variableName is what stands before the equals sign. Windows has names that begin with
// one, such as "=C:".
func variableName(pair string) string {
	if i := strings.IndexByte(pair[min(1, len(pair)):], '='); i >= 0 {
		return pair[:i+1]
	}
	return pair
}

// lookup returns the value of a variable in an environment, the last one if there are
// several.
func lookup(env []string, name string, foldCase bool) string {
	for _, pair := range slices.Backward(env) {
		key := variableName(pair)
		if key == name || foldCase && strings.EqualFold(key, name) {
			return strings.TrimPrefix(pair[len(key):], "=")
		}
	}
	return ""
}
