#!/bin/sh
# Builds stripe-mock, Stripe's own judge of requests, and copies out the OpenAPI document that it ships, to tests/servers/stripeMock/bin.
# Does nothing when they are newer than this script, and says so and succeeds when there is no Go to build with:
# what needs them is then skipped under its name, or fails under TEST_REQUIRE_ALL=1.
set -eu
script="$(cd "$(dirname "$0")" && pwd)/$(basename "$0")"
cd "$(dirname "$0")/.."
out="$PWD/tests/servers/stripeMock/bin"

if [ -x "$out/stripe-mock" ] && [ -f "$out/spec3.json" ] && [ -z "$(find "$script" -newer "$out/spec3.json")" ]; then
  exit 0
fi
if ! command -v go >/dev/null 2>&1; then
  echo "stripe-mock was not built: there is no Go here" >&2
  exit 0
fi
mkdir -p "$out"
echo "Building stripe-mock (about a minute, once) …" >&2
# The newest there is: a schema that lags behind the library is seen by the test, and listed in docs/payments.md.
GOBIN="$out" GOFLAGS="-buildvcs=false -trimpath -gcflags=all=-dwarf=false" CGO_ENABLED=0 go install github.com/stripe/stripe-mock@latest
version="$(go version -m "$out/stripe-mock" | awk '$1 == "mod" { print $3 }')"
cp "$(go env GOMODCACHE)/github.com/stripe/stripe-mock@$version/embedded/openapi/spec3.json" "$out/spec3.json.new"
chmod u+w "$out/spec3.json.new"
mv "$out/spec3.json.new" "$out/spec3.json"
touch "$out/spec3.json"
