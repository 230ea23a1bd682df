# What is done to this repository, by name. Only Go is needed, but for `servers` (npm).

TOOL     := go tool -modfile=tools.mod
SYSTEMS  := linux darwin windows
FUZZTIME ?= 10s
HAMMERS  ?= 20

.PHONY: help check format vet lint build test race fuzz demo recording servers mcp-clients assemblyscript modules bench soak prove

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1: /p' Makefile

check: format vet lint build ## everything that needs no run of the tests

format:
	@unformatted=$$($(TOOL) gofumpt -l .) && test -z "$$unformatted" || \
		{ echo "not formatted, run '$(TOOL) gofumpt -w .':"; echo "$$unformatted"; exit 1; }

vet:
	@set -e; for system in $(SYSTEMS); do echo "go vet for $$system"; CGO_ENABLED=0 GOOS=$$system go vet ./...; done

lint:
	$(TOOL) staticcheck ./...

build:
	@set -e; for system in $(SYSTEMS); do echo "go build for $$system"; CGO_ENABLED=0 GOOS=$$system go build ./...; done

test: ## the tests
	go test ./...

race: ## the tests under the race detector
	go test -race ./...

fuzz: ## each fuzz target for FUZZTIME
	.ci/fuzz $(FUZZTIME)

demo: ## the four questions about this repository
	go run ./examples/quickstart

recording: ## draw docs/recording.svg from what the command really answers
	go run ./docs/record

servers: ## the language servers from npm that tests talk to
	npm ci --no-audit --no-fund --prefix testdata/servers

mcp-clients: ## the MCP inspector, and what benchmarks compare with
	npm ci --no-audit --no-fund --prefix testdata/mcp

assemblyscript: ## the compiler of the AssemblyScript example
	npm ci --no-audit --no-fund --prefix examples/wasm-provider-assemblyscript

modules: ## build the example modules and compare them with those in the tree
	@out=$$(mktemp -d) && trap 'rm -rf "$$out"' EXIT && examples/build.sh --check "$$out" && ls -l "$$out"

bench: ## the cost of navseam beside bare LSP, bare engines, extism and other MCP servers, in one run each
	go test -run '^$$' -bench 'Native|Freshness|Look' -benchmem ./host ./providers/stdio ./internal/changes
	CGO_ENABLED=1 go test -tags wasmtime -run '^$$' -bench . -benchmem ./host/sandbox
	go test -run '^$$' -bench . -benchmem ./tool/... ./cmd/navseam
	cd benchmarks/extism && go test -run '^$$' -bench . -benchmem .

soak: ## 64 callers against everything at once, for ten minutes, under the race detector
	NAVSEAM_SOAK=$${NAVSEAM_SOAK:-10m} go test -race -count 1 -timeout 60m -v -run TestLoad ./internal/proof/load

prove: ## the long runs behind the numbers of a release; a second run goes on where the first ended
	FUZZTIME=10m HAMMERS=$(HAMMERS) .ci/prove
