package engine

const (
	wazeroModule  = "github.com/tetratelabs/wazero"
	wazeroVersion = "v1.12.0"
)

// compileWazeroCached lets wazero keep its own files in an entry. Its checks of them do not
// cover all, and it never mends one that is broken, so the record of the entry does both.
func compileWazeroCached(name string, code []byte, o Options) (w *wazeroCode, err error) {
	folder := o.CacheDir
	if name == Interpreter {
		folder = "" // it keeps nothing
	}
	entry := entryName(name, moduleVersion(wazeroModule, wazeroVersion), code)
	cached, err := openCache(folder).compile(entry, func(folder string) (err error) {
		w, err = compileWazeroIn(folder, name, code, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	w.cached = cached
	return w, nil
}
