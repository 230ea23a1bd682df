package sandbox

import (
	"context"
	"os"
	"time"
)

// lookEvery is how often the module's file is looked at.
const lookEvery = time.Second

// replaceTimeout bounds how long the watch waits for a compilation, which itself cannot be
// stopped.
const replaceTimeout = time.Minute

// watch ends what is idle, and puts a changed file in the place of the module.
func (p *Provider) watch() {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	var refused, before stamp
	for {
		select {
		case <-p.lifetime.Done():
			return
		case <-ticker.C:
		}
		current := p.release()
		if idle := p.config.Limits.IdleTimeout; idle > 0 {
			current.sweep(idle)
		}
		info, err := os.Stat(p.config.Path)
		switch {
		case err != nil:
			if missing := unreadable(p.config.Path, err); p.note(missing) {
				p.log.Warn("the module's file cannot be read any more; what was read goes on", "error", missing)
			}
			refused = stamp{}
		case current.stamp.same(info):
			p.note(nil)
		case refused.same(info):
		case before.same(info): // nobody is writing it any more
			if err := p.replace(); err != nil {
				p.log.Error("the module's file changed and was not taken; the one before goes on", "error", err)
				refused = stamp{info}
			}
		}
		before = stamp{info}
	}
}

func (p *Provider) release() *release {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.current
}

// replace puts the file as it is now in the place of the module: queries that have begun
// go on with the old one, which ends after the last of them.
func (p *Provider) replace() error {
	ctx, cancel := context.WithTimeout(p.lifetime, replaceTimeout)
	defer cancel()
	next, err := p.load(ctx)
	if err != nil {
		p.note(err)
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	old := p.current
	if old.report.SHA256 == next.report.SHA256 {
		old.stamp = next.stamp // touched, or copied again
		p.background.Go(next.close)
		return nil
	}
	p.current = next
	p.replaced++
	p.replaceErr = nil
	p.retire(old)
	p.log.Info("the module was replaced: its file changed", "sha256", next.report.SHA256)
	return nil
}

// note keeps why the file on disk is not what answers, or nil, and reports whether that is
// the first that is known of it.
func (p *Provider) note(err error) (news bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	news = p.replaceErr == nil && err != nil
	p.replaceErr = err
	return news
}
