package wasmsdk

import (
	"encoding/json"
	"fmt"

	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
)

// Config is the module's config from the deployment, as JSON; {} where there is none.
func Config() ([]byte, error) {
	content, size := copyOut(make([]byte, 1024), hostcall.Config)
	if size < 0 {
		return nil, refused("config", "", size)
	}
	return content, nil
}

// ReadConfig decodes the config into a struct as encoding/json does; members that the
// struct does not have are ignored. encoding/json adds 1 MB to a module that has no other use
// for it: there is [Config] for those that mind.
func ReadConfig(into any) error {
	content, err := Config()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, into); err != nil {
		return fmt.Errorf("the module's config in the deployment: %w", err)
	}
	return nil
}
