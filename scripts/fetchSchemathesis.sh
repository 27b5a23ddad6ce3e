#!/bin/sh
# Fetches schemathesis, which sends what the OpenAPI document allows, and what it does not, and judges the answers, to tests/servers/schemathesis.
# Does nothing when it is there, and says so and succeeds when it cannot be had: what needs it is then skipped under its name, or fails under
# TEST_REQUIRE_ALL=1.
set -eu
cd "$(dirname "$0")/.."
package="schemathesis==4.32.5"
out="$PWD/tests/servers/schemathesis"

if [ -x "$out/bin/schemathesis" ]; then
  exit 0
fi
rm -rf "$out.new"
if ! python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target "$out.new" "$package" >&2; then
  rm -rf "$out.new"
  echo "schemathesis was not fetched: $package is not to be had here" >&2
  exit 0
fi
# Only a complete one has the name that is looked for.
rm -rf "$out"
mv "$out.new" "$out"
