package tool

import "github.com/navseam/navseam/seam"

// listing is an answer made ready to be shown: without duplicates, grouped by file in the
// order in which the files first appear, and no more of it than may be shown.
type listing struct {
	files      []listedFile
	kept       int // locations of the files
	total      int
	totalFiles int
}

// listedFile has the locations in one file, in the provider's order.
type listedFile struct {
	spot
	uri   string
	label string // what is to be known of it, or ""
	items []seam.Location
}

// listOf takes the first locations of an answer. Two that look alike are one.
func listOf(answer seam.Locations, most int) listing {
	type place struct {
		file  int
		start seam.Position
	}
	var l listing
	shown := newPaths(answer.WorkspaceURI)
	byURI, byPath := map[string]int{}, map[string]int{}
	seen := make(map[place]struct{}, len(answer.Items))
	for _, item := range answer.Items {
		file, known := byURI[item.URI]
		if !known {
			at := shown.of(item.URI)
			if file, known = byPath[at.path]; !known {
				file = l.totalFiles
				byPath[at.path] = file
				l.totalFiles++
				if l.kept < most {
					l.files = append(l.files, listedFile{spot: at, uri: item.URI})
				}
			}
			byURI[item.URI] = file
		}
		key := place{file, item.Range.Start}
		if _, twice := seen[key]; twice {
			continue
		}
		seen[key] = struct{}{}
		if l.total++; l.kept < most {
			l.files[file].items = append(l.files[file].items, item)
			l.kept++
		}
	}
	return l
}
