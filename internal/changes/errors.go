package changes

import "errors"

// errNoEvents is why a tree is swept on systems whose events are not used.
var errNoEvents = errors.New("this system's events are not used")
