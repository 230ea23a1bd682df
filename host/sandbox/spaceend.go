package sandbox

import "time"

// sweep ends the instances that are idle since before then, the longest unused first.
func (s *space) sweep(before time.Time) {
	s.mu.Lock()
	var ended []*instance
	for len(s.idle) > 0 && s.idle[0].idle.Before(before) {
		ended = append(ended, s.idle[0])
		s.idle = s.idle[1:]
	}
	s.live -= len(ended)
	s.mu.Unlock()
	for _, i := range ended {
		i.close()
	}
}

// close ends what the space has. Nobody uses it any more, so all of its instances are idle.
func (s *space) close() {
	s.mu.Lock()
	ended, folders := s.idle, s.folders
	s.idle, s.folders, s.live = nil, nil, 0
	s.mu.Unlock()
	for _, i := range ended {
		i.close()
	}
	for _, folder := range folders {
		folder.Close()
	}
	s.documents.Close()
}
