#!/bin/sh
# Builds FerretDB, the MongoDB protocol server of the tests and benches, to tests/servers/ferretdb/bin/ferretdb.
# Does nothing when that file is newer than its sources, and says so and succeeds when there is no Go to build it with:
# suites that need it are then skipped under their names, or fail under TEST_REQUIRE_ALL=1.
set -eu
script="$(cd "$(dirname "$0")" && pwd)/$(basename "$0")"
cd "$(dirname "$0")/../tests/servers/ferretdb"
binary=bin/ferretdb

if [ -x "$binary" ] && [ -z "$(find main.go checkpoints.go narrow/narrow.go turns/*.go go.mod go.sum "$script" -newer "$binary")" ]; then
  exit 0
fi
if ! command -v go >/dev/null 2>&1; then
  echo "FerretDB was not built: there is no Go here" >&2
  exit 0
fi
mkdir -p bin
echo "Building FerretDB (about a minute, once after each change) …" >&2

# A few lines of FerretDB 1.24.0 are changed in a copy of it:
# - an update command of many operations keeps each one's query open to its end, and hangs for ever behind the hundredth;
# - a query by _id and something else (a position guard) reads the whole collection;
# - and so does every query and update by _id, because the index is on the same thing written in another way;
# - and every other query, whatever its indexes (narrow/narrow.go);
# - and the newest document by _id is looked for in the whole collection;
# - writes of several connections wait for one another by asking SQLite again and again (turns/turns.go).
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# What a debugger would need is left out: it takes a sixth of the time. `CGO_ENABLED=0`: all of it is Go.
export GOFLAGS="-buildvcs=false -trimpath -gcflags=all=-dwarf=false" CGO_ENABLED=0
go mod download github.com/FerretDB/FerretDB
original="$(go list -m -f '{{.Dir}}' github.com/FerretDB/FerretDB)"
cp -R "$original" "$work/ferretdb"
chmod -R u+w "$work/ferretdb"
change() {
  sed "$2" "$original/$1" >"$work/ferretdb/$1"
  if cmp -s "$original/$1" "$work/ferretdb/$1"; then
    echo "FerretDB is not the version whose lines are to be changed: $1" >&2
    exit 1
  fi
}
change internal/handler/msg_update.go '
  /common.UpdateDocument(ctx, c, "update", iter, &u)$/a closer.Close(); end()
  /range params.Updates {$/i defer turns.Updates(len(params.Updates))()
  /range params.Updates {$/a end := turns.Take(); defer end()
  /internal.handler.common"$/a "github.com/FerretDB/FerretDB/internal/turns"'
change internal/backends/sqlite/collection.go 's/if params.Filter.Len() == 1 {/if params.Filter.Len() >= 1 {/'
change internal/backends/sqlite/metadata/metadata.go 's/"->.[$][.]_id."/"->\\"_id\\""/'
sed -i 's/^\tq += whereClause$/\twhereClause, args = narrowed(params.Filter, whereClause, args)\n&/' "$work/ferretdb/internal/backends/sqlite/collection.go"
grep -q 'narrowed(' "$work/ferretdb/internal/backends/sqlite/collection.go"
cp narrow/narrow.go "$work/ferretdb/internal/backends/sqlite/narrow.go"
# The order of capped collections, of which there are none here, becomes that by the index on _id: its texts are in the order of their JSON, apart from those
# with a space or a mark before the quote.
change internal/handler/msg_find.go '
  /Limit pushdown is not applied if:$/i if params.Filter.Len() == 0 \&\& params.Skip == 0 \&\& params.Limit == 1 \&\& params.Sort.Len() == 1 \&\& params.Sort.Keys()[0] == "_id" {\
    qp.Sort, qp.Limit = must.NotFail(types.NewDocument("$natural", params.Sort.Values()[0])), 1\
  }'
change internal/backends/sqlite/query.go 's/ORDER BY %s%s", metadata.RecordIDColumn/ORDER BY %s%s", metadata.IDColumn/'
change internal/clientconn/conn.go '
  s/^\t\treturn cmd.Handler(connCtx, msg)$/\t\tdefer turns.Of(command)()\n&/
  /internal.handler"$/a "github.com/FerretDB/FerretDB/internal/turns"'
mkdir "$work/ferretdb/internal/turns"
cp turns/turns.go "$work/ferretdb/internal/turns/turns.go"
cp turns/public.go "$work/ferretdb/ferretdb/turns.go"
# What nothing here uses would add a third to the compiling: other databases, the export of traces, and MongoDB's driver for the sake of one struct.
rm "$work/ferretdb/internal/handler/registry/mysql.go" "$work/ferretdb/internal/util/observability/observability.go"
change internal/handler/msg_delete.go '/mongo-driver/d; s/mongo[.]WriteError/writeError/'
change internal/handler/msg_insert.go '/mongo-driver/d; s/mongo[.]WriteError/writeError/'
printf 'package handler\n\ntype writeError struct {\n\tIndex, Code int\n\tMessage string\n}\n' >"$work/ferretdb/internal/handler/write_error.go"
cp go.mod go.sum "$work"
go mod edit -replace "github.com/FerretDB/FerretDB=$work/ferretdb" "$work/go.mod"
go build -modfile "$work/go.mod" -tags ferretdb_no_postgresql -ldflags='-s -w' -o "$binary.new" .
mv "$binary.new" "$binary"
