package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
)

// The kinds of failure, for errors.Is. An error's text says more, and which key of which rule to
// change.
var (
	ErrNotAllowed = errors.New("not allowed")
	ErrOverLimit  = errors.New("over a limit")
	ErrBadRequest = errors.New("bad request")
	// ErrFailed is also the kind of a request that the caller cancelled.
	ErrFailed = errors.New("failed")
	// ErrDeadline is that of the caller, and then context.DeadlineExceeded too, or that of a rule.
	ErrDeadline = errors.New("deadline passed")
)

// Why a request was ended from this side, beside the errors of the caller's context.
var (
	errTookTooLong    = errors.New("the time of the rule is over")
	errClientClosed   = errors.New("the client is closed")
	errResponseClosed = errors.New("the response is closed")
)

func kinds() []error {
	return []error{ErrNotAllowed, ErrOverLimit, ErrBadRequest, ErrFailed, ErrDeadline}
}

// ours reports whether the error has a kind and a text already.
func ours(err error) bool {
	for _, kind := range kinds() {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// bare is an error's text without its kind, for rules: the kinds are about requests.
func bare(err error) string {
	text := err.Error()
	for _, kind := range kinds() {
		text = strings.TrimPrefix(text, kind.Error()+": ")
	}
	return text
}

// explain says why a request under this rule failed. No text of the server gets into the error,
// as it may echo a secret.
func (r *rule) explain(life context.Context, what string, err error) error {
	if life.Err() != nil {
		return r.ended(what, context.Cause(life))
	}
	switch {
	case ours(err):
		return err
	case errors.Is(err, errTooMuch):
		return fmt.Errorf("%w: the body of %s is larger than %d bytes: raise bodyBytes of %s", ErrOverLimit, what, r.bodyBytes, r)
	case isHeaderTooLarge(err):
		return fmt.Errorf("%w: the response header of %s is larger than %d bytes", ErrOverLimit, what, maxHeaderBytes)
	}
	return fmt.Errorf("%w: %s: %s", ErrFailed, what, reason(err))
}

func (r *rule) ended(what string, cause error) error {
	if errors.Is(cause, errTookTooLong) {
		return fmt.Errorf("%w: %s took longer than %v: raise timeoutMs of %s", ErrDeadline, what, r.timeout, r)
	}
	return givenUp(what, cause)
}

func givenUp(what string, cause error) error {
	if errors.Is(cause, context.DeadlineExceeded) {
		return fmt.Errorf("%w: %s was still under way when the call that sent it had to end (callTimeoutMs or loadTimeoutMs of the module's limits, or whoever asked): %w", ErrDeadline, what, cause)
	}
	return fmt.Errorf("%w: %s: %w", ErrFailed, what, cause)
}

// isHeaderTooLarge knows an error of net/http that has no type. A test notices if its text changes.
func isHeaderTooLarge(err error) bool {
	return strings.Contains(err.Error(), "server response headers exceeded")
}

// reason tells what is known to be safe to tell.
func reason(err error) string {
	var (
		dns         *net.DNSError
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
		alert       tls.AlertError
		operation   *net.OpError
		timeout     net.Error
	)
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "the host has no address"
	case errors.As(err, &dns):
		return "the host cannot be resolved now"
	case errors.As(err, &certificate):
		return "the server's certificate is refused: " + certificateReason(certificate.Err)
	case errors.As(err, &record):
		return "the server does not speak TLS there: is it http?"
	case errors.As(err, &alert):
		return "TLS: " + alert.Error()
	case errors.As(err, &timeout) && timeout.Timeout():
		return "timed out"
	case errors.As(err, &operation) && operation.Err != nil:
		return operation.Op + ": " + operation.Err.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection ended too early"
	}
	return "the connection broke, or the answer is not valid"
}

func certificateReason(err error) string {
	var (
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &authority):
		return "its authority is not known to this system"
	case errors.As(err, &host):
		return "it is for another host"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "it has expired or is not valid yet"
	}
	return "it is not valid"
}
