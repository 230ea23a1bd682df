// Package cold proves that a cold server's answer is not passed off as a final one: the first
// references after each start are the settled ones, or they are marked Incomplete.
package cold
