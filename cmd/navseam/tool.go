package main

import (
	"time"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/tool"
)

// toolConfig is what a configuration says of the tool. The host and the tool do not know each
// other.
func toolConfig(config host.Config) tool.Config {
	return tool.Config{
		MaxLocations:   config.Tool.MaxLocations,
		MaxResultChars: config.Tool.MaxResultChars,
		Timeout:        time.Duration(config.Tool.TimeoutMs) * time.Millisecond,
		Snippets:       config.Tool.Snippets,
		Format:         tool.Format(config.Tool.Format),
		SourceRoots:    config.SourceRoots,
		MaxSourceBytes: largestDocument(config),
	}
}

// largestDocument is the size of the largest source that any entry is asked about.
func largestDocument(config host.Config) int64 {
	largest := 0
	for _, server := range config.Servers {
		largest = max(largest, server.MaxDocumentBytes)
	}
	for _, module := range config.Modules {
		largest = max(largest, module.MaxDocumentBytes)
	}
	return int64(largest)
}
