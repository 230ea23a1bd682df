package host

import (
	"errors"
	"fmt"
	"strings"
)

// expander puts values in the place of ${configDir} and ${env:NAME}. "$${" stands for "${"
// itself; any other "$" is just that.
type expander struct {
	dir    string
	lookup func(name string) (string, bool)
}

func (e expander) expand(text string) (string, error) {
	var b strings.Builder
	for {
		start := strings.Index(text, "${")
		if start < 0 {
			b.WriteString(text)
			return b.String(), nil
		}
		if start > 0 && text[start-1] == '$' {
			b.WriteString(text[:start-1] + "${")
			text = text[start+2:]
			continue
		}
		b.WriteString(text[:start])
		name, rest, closed := strings.Cut(text[start+2:], "}")
		if !closed {
			return "", errors.New(`"${" has no "}": close it, or write "$${" for the characters themselves`)
		}
		value, err := e.value(name)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		text = rest
	}
}

func (e expander) value(name string) (string, error) {
	variable, isEnv := strings.CutPrefix(name, "env:")
	switch {
	case isEnv && variable != "":
		if value, ok := e.lookup(variable); ok {
			return value, nil
		}
		return "", fmt.Errorf("the environment variable %s is not set: set it, or write the value here", variable)
	case name != "configDir":
		return "", unknownVariable(name)
	case e.dir == "":
		return "", errors.New("${configDir} has no value: this configuration is not in a file")
	}
	return e.dir, nil
}

// unknownVariable is the text between braces that names nothing.
type unknownVariable string

func (u unknownVariable) Error() string {
	return fmt.Sprintf("${%s} is unknown: %s", string(u), u.remedy())
}

func (unknownVariable) remedy() string {
	return `there are ${configDir} and ${env:NAME}; write "$${" for the characters themselves`
}
