package trace

import (
	"regexp"
	"strings"
)

// secretParts are in the names of what is secret, whatever else is.
var secretParts = []string{
	"password", "passwd", "passphrase", "secret", "token", "apikey", "credential",
	"authorization", "cookie", "privatekey", "accesskey", "licensekey", "licencekey",
}

// secretWords are secret as a whole name, or as its end.
var secretWords = []string{"key", "keys", "auth", "pwd", "bearer"}

// protocolNames look like names of secrets and are the protocol's own.
var protocolNames = map[string]bool{
	"tokenTypes": true, "tokenModifiers": true, "semanticTokens": true, "semanticTokensProvider": true,
	"overlappingTokenSupport": true, "multilineTokenSupport": true, "workDoneToken": true, "partialResultToken": true,
}

func secretName(name string) bool {
	if protocolNames[name] {
		return false
	}
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(name))
	for _, part := range secretParts {
		if strings.Contains(plain, part) {
			return true
		}
	}
	for _, word := range secretWords {
		if strings.HasSuffix(plain, word) {
			return true
		}
	}
	return false
}

// secretTexts match a text that shows a secret: what is written as the value of such a name,
// the tokens of well-known services, an address with a password.
var secretTexts = regexp.MustCompile(`(?i:(password|passwd|pwd|passphrase|secret|token|api[-_ ]?key|credentials?|authorization|cookie)["'\\]*\s*[:=]` +
	`|\b(bearer|basic)\s+[\w.~+/=-]{6}` +
	`|-----BEGIN ` +
	`|://[^/\s@]+@)` +
	`|\b(gh[pousr]_|github_pat_|glpat-|npm_|xox[abeprs]-|sk-|AKIA|ASIA|AIza)[\w-]{12}` +
	`|\beyJ[\w-]{8,}\.[\w-]+`)

// randomText matches what nobody would type: letters of both cases and digits in one long word.
func randomText(text string) bool {
	const shortest = 20
	if len(text) < shortest || strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("+/=_-.~", r))
	}) {
		return false
	}
	digits := strings.ContainsAny(text, "0123456789")
	lower, upper := strings.ToUpper(text) != text, strings.ToLower(text) != text
	return digits && (lower && upper || len(text) >= 32 && !strings.ContainsAny(text, "/."))
}

// secretFlag is an argument whose value is the next one.
func secretFlag(text string) bool { return strings.HasPrefix(text, "-") && secretName(text) }
