package wasmsdk

// copyOut asks again until all of it fits: what can change may grow between two calls. The
// size is negative if the host refused.
func copyOut(buffer []byte, ask func([]byte) int32) (content []byte, size int32) {
	for {
		size = ask(buffer)
		if size < 0 {
			return nil, size
		}
		if int(size) <= len(buffer) {
			return buffer[:size], size
		}
		buffer = make([]byte, size)
	}
}

// remembered is a short text that seldom changes from call to call.
type remembered struct {
	buffer []byte
	text   string
}

func (r *remembered) ask(ask func([]byte) int32) string {
	content, size := copyOut(r.buffer[:cap(r.buffer)], ask)
	if size < 0 {
		return ""
	}
	r.buffer = content
	if string(content) != r.text {
		r.text = string(content)
	}
	return r.text
}
