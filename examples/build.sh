#!/bin/sh
# Builds the example modules of all languages into a folder:
#
#	examples/build.sh FOLDER           go.wasm, c.wasm, rust.wasm, assemblyscript.wasm
#	examples/build.sh --check FOLDER   and fails if one differs from the provider.wasm in the tree
#
# It needs Go; clang and lld of Debian 12; rustc 1.63 and libstd-rust-dev-wasm32 of Debian 12;
# Node.js 20 and, before, npm ci --prefix examples/wasm-provider-assemblyscript.
set -eu

check=
if [ "${1-}" = --check ]; then
	check=yes
	shift
fi
[ $# -eq 1 ] || { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")"

(cd wasm-provider && GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -ldflags='-s -w' -o "$out/go.wasm" .)
different=
for language in c rust assemblyscript; do
	committed=wasm-provider-$language/provider.wasm
	"wasm-provider-$language/build.sh" "$out/$language.wasm"
	if [ "$check" ] && ! cmp "$out/$language.wasm" "$committed"; then
		different="$different $committed"
	fi
done
[ -z "$different" ] || { echo "not what their sources build:$different: run their build.sh" >&2; exit 1; }
