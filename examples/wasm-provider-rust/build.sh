#!/bin/sh
# Builds provider.wasm with rustc alone (1.63, of Debian 12: apt-get install rustc
# libstd-rust-dev-wasm32 lld).
set -eu
cd "$(dirname "$0")"
rustc=${RUSTC:-/usr/bin/rustc} # not what rustup may have put before it
[ -x "$rustc" ] || rustc=rustc
"$rustc" --edition 2021 --target wasm32-unknown-unknown --crate-type cdylib \
	-C opt-level=s -C panic=abort -C lto -C strip=symbols -C codegen-units=1 -D warnings \
	-o "${1:-provider.wasm}" provider.rs
chmod 644 "${1:-provider.wasm}"
