package rpc

import (
	"encoding/json"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"
)

// stream is the connection as the library sees it: messages that it cannot
// trip over, and nothing to close.
type stream struct{ conn *Conn }

var _ jsonrpc2.ObjectStream = stream{}

// ReadObject deals with everything the server says until there is a reply to an
// open call, and hands over its number. The outcome is with the call by then.
func (s stream) ReadObject(v any) error {
	for {
		m, err := s.conn.in.next()
		if err == nil {
			err = s.conn.Err()
		}
		if err == nil {
			err = s.conn.take(m)
		}
		if err != nil {
			s.conn.fail(err)
			return err
		}
		if m.kind == reply && s.conn.settle(m.call, m.outcome) {
			return json.Unmarshal(fmt.Appendf(nil, `{"id":%d,"result":null}`, m.call), v)
		}
	}
}

// WriteObject writes a request that the library made.
func (s stream) WriteObject(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.conn.out.write(body)
}

// Close does nothing: the connection closes itself, once, and knows why.
func (stream) Close() error { return nil }
