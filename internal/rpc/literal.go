package rpc

func (c *checker) word(word string) bool {
	end := c.at + len(word)
	if end > len(c.data) || string(c.data[c.at:end]) != word {
		return false
	}
	c.at = end
	return true
}

func (c *checker) text() bool {
	for c.at++; ; c.at++ {
		c.at += plain(c.data[c.at:])
		switch c.byte() {
		case '"':
			c.at++
			return true
		case '\\':
			if !c.escape() {
				return false
			}
		default: // the end, or a control character
			return false
		}
	}
}

// plain is how many bytes stand for themselves in a string.
func plain(p []byte) int {
	for i, b := range p {
		if b == '"' || b == '\\' || b < ' ' {
			return i
		}
	}
	return len(p)
}

// escape stops at the last byte of it.
func (c *checker) escape() bool {
	c.at++
	switch c.byte() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		for range 4 {
			c.at++
			if !isHex(c.byte()) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

func (c *checker) number() bool {
	if c.byte() == '-' {
		c.at++
	}
	if c.byte() == '0' {
		c.at++
	} else if !c.digits() {
		return false
	}
	if c.byte() == '.' {
		c.at++
		if !c.digits() {
			return false
		}
	}
	if b := c.byte(); b == 'e' || b == 'E' {
		c.at++
		if b := c.byte(); b == '+' || b == '-' {
			c.at++
		}
		return c.digits()
	}
	return true
}

func (c *checker) digits() bool {
	start := c.at
	for c.at < len(c.data) && c.data[c.at]-'0' <= 9 {
		c.at++
	}
	return c.at > start
}

func isHex(b byte) bool { return b-'0' <= 9 || b|0x20-'a' <= 5 }
