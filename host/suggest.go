package host

import "strings"

// nearest is the word that the written one is most likely meant to be, or "".
func nearest(written string, words []string) string {
	best, least := "", max(2, len(written)/3)+1
	for _, word := range words {
		if d := distance(strings.ToLower(written), strings.ToLower(word)); d < least {
			best, least = word, d
		}
	}
	return best
}

// distance counts the characters to insert, delete or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
