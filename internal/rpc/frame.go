package rpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
)

// frameReader reads messages one after the other. Of a message over the limit
// it keeps no more than the id.
type frameReader struct {
	header   *headerReader
	maxBytes int
	stray    atomic.Uint64
	skipped  atomic.Uint64
	seen     func(sent bool, body []byte, size int) // or nil
}

func newFrameReader(r io.Reader, maxBytes int) *frameReader {
	f := &frameReader{maxBytes: maxBytes}
	f.header = newHeaderReader(r, &f.stray)
	return f
}

// next returns the next message. After an error there is none.
func (f *frameReader) next() (message, error) {
	length, err := f.header.next()
	if err != nil {
		return message{}, err
	}
	m, err := f.body(length)
	if m.untaken {
		f.skipped.Add(1)
	}
	return m, err
}

func (f *frameReader) body(length int) (message, error) {
	if length > f.maxBytes {
		return f.oversized(length)
	}
	body := make([]byte, length)
	if n, err := io.ReadFull(f.header.r, body); err != nil {
		return message{}, bodyCut(n, length, err)
	}
	if f.seen != nil {
		f.seen(false, body, length)
	}
	return decode(body)
}

func (f *frameReader) oversized(length int) (message, error) {
	var s scanner
	if n, err := io.CopyN(&s, f.header.r, int64(length)); err != nil {
		return message{}, bodyCut(int(n), length, err)
	}
	if f.seen != nil {
		f.seen(false, nil, length)
	}
	return refuse(bytes.TrimSpace(s.id), bytes.TrimSpace(s.method), unusable{
		code: CodeInvalidRequest,
		why:  fmt.Sprintf("message of %d bytes is over the limit of %d bytes (maxMessageBytes)", length, f.maxBytes),
	}), nil
}

func bodyCut(n, length int, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("output ended after %d of the %d bytes of a message: %w", n, length, io.ErrUnexpectedEOF)
	}
	return readFailed(err)
}
