// Package host turns a configuration into running answers: it makes a provider of each
// entry, registers them all or none, and routes queries to them. It is what an agent
// runtime embeds, and the only place that knows what kinds of providers there are.
package host
