package stdio

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnvironment(t *testing.T) {
	parent := []string{
		"PATH=/bin", "HOME=/home/u", "LANG=C.UTF-8", "https_proxy=http://p", "EMPTY=",
		"AWS_SECRET_ACCESS_KEY=a", "my_token=b", "Password=c", "NPM_CONFIG_KEYRING=d", "NAVSEAM_CONFIG=e", "navseam_x=f", "NOT_NAVSEAM_=g",
	}
	env, dropped := environment(parent, nil, nil, false)
	// what is dropped, without regard to case, and what survives.
	require.Equal(t, []string{"PATH=/bin", "HOME=/home/u", "LANG=C.UTF-8", "https_proxy=http://p", "EMPTY=", "NOT_NAVSEAM_=g"}, env)
	require.Equal(t, []string{"AWS_SECRET_ACCESS_KEY", "NAVSEAM_CONFIG", "NPM_CONFIG_KEYRING", "Password", "my_token", "navseam_x"}, dropped)

	// A-054 corrected: names are let through, exactly as they are written.
	env, dropped = environment(parent, []string{"my_token", "PASSWORD"}, nil, false)
	require.Contains(t, env, "my_token=b")
	require.Contains(t, dropped, "Password")

	// what is set comes after the scrub and wins.
	env, dropped = environment(parent, nil, map[string]string{"my_token": "z", "NAVSEAM_X": "y", "HOME": "/h"}, false)
	require.Equal(t, []string{"PATH=/bin", "LANG=C.UTF-8", "https_proxy=http://p", "EMPTY=", "NOT_NAVSEAM_=g", "HOME=/h", "NAVSEAM_X=y", "my_token=z"}, env)
	require.NotContains(t, dropped, "my_token")

	// on Windows names have no case.
	env, _ = environment([]string{"Path=C:\\a", "=C:=C:\\w", "Secret=x"}, []string{"SECRET"}, map[string]string{"PATH": "C:\\b"}, true)
	require.Equal(t, []string{"=C:=C:\\w", "Secret=x", "PATH=C:\\b"}, env)
}

func TestLookup(t *testing.T) {
	env := []string{"A=1", "Path=x=y", "A=2", "B"}
	require.Equal(t, "2", lookup(env, "A", false))
	require.Empty(t, lookup(env, "PATH", false))
	require.Equal(t, "x=y", lookup(env, "PATH", true))
	require.Empty(t, lookup(env, "B", false))
}
