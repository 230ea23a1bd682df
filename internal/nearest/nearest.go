// Package nearest finds the word that was probably meant, for errors that say so.
package nearest

import "strings"

// Word is the known word that the written one is most likely meant to be, whatever its
// case, or "".
func Word(written string, words []string) string {
	best, least := "", max(3, len(written)/3+1) // more slips make another word
	for _, word := range words {
		if d := slips(strings.ToLower(written), strings.ToLower(word)); d < least && d < len(word) {
			best, least = word, d
		}
	}
	return best
}

// slips counts the letters that were left out, added or mistaken between two words.
func slips(a, b string) int {
	costs := make([]int, len(b)+1) // from the part of a that was looked at to each part of b
	for j := range costs {
		costs[j] = j
	}
	for i := range len(a) {
		previous := costs[0]
		costs[0] = i + 1
		for j := range len(b) {
			same := previous
			if a[i] != b[j] {
				same++
			}
			previous = costs[j+1]
			costs[j+1] = min(same, costs[j]+1, costs[j+1]+1)
		}
	}
	return costs[len(b)]
}
