package main

// nearest is the word that the written one is most likely meant to be, or "".
func nearest(written string, words []string) string {
	best, least := "", 3 // more than two slips make another word
	for _, word := range words {
		if d := slips(written, word); d < least && d < len(word) {
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
