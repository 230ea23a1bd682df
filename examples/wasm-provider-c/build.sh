#!/bin/sh
# Builds provider.wasm with clang and lld (14, of Debian 12: apt-get install clang lld).
set -eu
cd "$(dirname "$0")"
${CLANG:-clang} --target=wasm32 -nostdlib -ffreestanding -Os -Wall -Wextra -Werror \
	-Wl,--no-entry,--strip-all -o "${1:-provider.wasm}" provider.c
chmod 644 "${1:-provider.wasm}"
