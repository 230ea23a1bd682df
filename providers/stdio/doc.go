// Package stdio makes a provider of any language server that speaks the Language
// Server Protocol over its standard input and output.
//
// A [Provider] starts servers when they are first asked for, one or more for each
// workspace or project in one, and keeps them warm. All providers of a host share one [Pool], which
// decides which server answers, which is started, and which must make room.
//
// It is for package host, which makes all of it from a configuration; a program that
// embeds navseam uses that.
package stdio
