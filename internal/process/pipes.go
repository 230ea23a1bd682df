package process

import (
	"os"
)

// pipes are stdin, stdout and stderr of a child, in this order. All ends close
// on exec, so that no other child of the host holds one open.
type pipes struct {
	host, child [3]*os.File
}

func (p *pipes) open() error {
	for i := range p.host {
		r, w, err := os.Pipe()
		if err != nil {
			p.closeChild()
			p.closeHost()
			return err
		}
		p.host[i], p.child[i] = r, w
		if i == 0 {
			p.host[i], p.child[i] = w, r
		}
	}
	return nil
}

func (p *pipes) closeHost()  { closeAll(p.host) }
func (p *pipes) closeChild() { closeAll(p.child) }

// closeAll ignores errors: an end may be nil, or closed by its user before.
func closeAll(files [3]*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// output is a pipe that knows when its reader has seen the end.
type output struct {
	file *os.File
	end  *flag
}

func newOutput(f *os.File) *output { return &output{file: f, end: newFlag()} }

func (o *output) Read(p []byte) (int, error) {
	n, err := o.file.Read(p)
	if err != nil {
		o.end.raise()
	}
	return n, err
}
