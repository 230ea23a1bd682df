package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Resolver finds the addresses of a host. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Network is what requests go through. A field that is not set is that of the system.
type Network struct {
	Resolver Resolver
	Dial     func(ctx context.Context, to netip.AddrPort) (net.Conn, error)
	Roots    *x509.CertPool
}

const (
	connectTime   = 20 * time.Second       // of a connection that nobody may be waiting for any more
	addressTime   = 3 * time.Second        // of an address that has others after it
	idleTime      = 30 * time.Second       // of a connection between requests
	farewellTime  = 100 * time.Millisecond // of the last bytes to a server that may not read them
	maxIdlePerURL = 4
)

func (n Network) withDefaults() Network {
	if n.Resolver == nil {
		n.Resolver = net.DefaultResolver
	}
	if n.Dial == nil {
		var d net.Dialer
		n.Dial = func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			return d.DialContext(ctx, "tcp", to.String())
		}
	}
	return n
}

// transport makes connections for one rule until life ends, and closes them all then.
func (n Network) transport(life context.Context, r *rule) *http.Transport {
	var http1 http.Protocols
	http1.SetHTTP1(true)
	d := dialer{network: n, rule: r, life: life}
	return &http.Transport{
		Proxy:                  nil, // none of the environment's
		DialContext:            d.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: n.Roots},
		TLSHandshakeTimeout:    connectTime,
		DisableCompression:     true, // decoded here, under a limit
		MaxIdleConns:           maxIdlePerURL,
		MaxIdleConnsPerHost:    maxIdlePerURL,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxHeaderBytes,
		Protocols:              &http1,
	}
}

type dialer struct {
	network Network
	rule    *rule
	life    context.Context
}

// dial looks the host up once, and connects to nothing but what it has checked.
func (d dialer) dial(ctx context.Context, _, hostPort string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTime)
	defer cancel()
	defer context.AfterFunc(d.life, cancel)()

	addresses, port, err := d.lookUp(ctx, hostPort)
	if err != nil {
		return nil, err
	}
	for i, address := range addresses {
		var conn net.Conn
		to := netip.AddrPortFrom(address, port)
		if conn, err = d.connect(ctx, to, i == len(addresses)-1); err == nil {
			return own(d.life, conn), nil
		}
	}
	return nil, err
}

func (d dialer) connect(ctx context.Context, to netip.AddrPort, last bool) (net.Conn, error) {
	if !last {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, addressTime)
		defer cancel()
	}
	return d.network.Dial(ctx, to)
}

func (d dialer) lookUp(ctx context.Context, hostPort string) ([]netip.Addr, uint16, error) {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		return nil, 0, err
	}
	var addresses []netip.Addr
	if literal, err := netip.ParseAddr(host); err == nil {
		addresses = []netip.Addr{literal}
	} else if addresses, err = d.network.Resolver.LookupNetIP(ctx, "ip", host); err != nil {
		return nil, 0, lookUpError(host, err)
	}
	if len(addresses) == 0 {
		return nil, 0, &net.DNSError{Name: host, IsNotFound: true}
	}
	for i, address := range addresses {
		addresses[i] = address.Unmap()
		if what := notPublic(address); what != "" && !d.rule.private {
			return nil, 0, fmt.Errorf("%w: %s has the address %s, which is %s: write private: true in %s if it is meant", ErrNotAllowed, host, address, what, d.rule)
		}
	}
	return addresses, d.rule.root.port, nil
}

// lookUpError gives the errors of every resolver one type.
func lookUpError(host string, err error) error {
	var known *net.DNSError
	if errors.As(err, &known) {
		return err
	}
	return &net.DNSError{Err: err.Error(), Name: host}
}

// ownedConn is closed when its owner's life ends, whatever state it is in.
type ownedConn struct {
	net.Conn
	disown func() bool
}

func own(life context.Context, conn net.Conn) *ownedConn {
	return &ownedConn{Conn: conn, disown: context.AfterFunc(life, func() { _ = conn.Close() })}
}

func (c *ownedConn) Close() error {
	c.disown()
	return c.Conn.Close()
}

// SetWriteDeadline is called by TLS alone, as it says goodbye: to a server that does not read it
// would give five seconds, which a read that has to end now does not have.
func (c *ownedConn) SetWriteDeadline(t time.Time) error {
	if soon := time.Now().Add(farewellTime); t.After(soon) {
		t = soon
	}
	return c.Conn.SetWriteDeadline(t)
}
