//go:build !linux

package changes

import "io/fs"

// events are not used on this system.
type events struct{}

func openEvents(string) (events, error) { return events{}, errNoEvents }

func (events) on() bool                                  { return false }
func (events) add(*folder) error                         { return nil }
func (events) drop(*folder)                              {}
func (events) drain(func(*folder, string), func()) error { return nil }
func (events) close()                                    {}
func severalNames(fs.FileInfo) bool                      { return false }
