#!/bin/sh
# Builds provider.wasm with the compiler that package-lock.json pins: npm ci first.
set -eu
cd "$(dirname "$0")"
node_modules/.bin/asc provider.ts --optimizeLevel 3 --shrinkLevel 2 --noAssert \
	--runtime minimal --use abort= --outFile "${1:-provider.wasm}"
