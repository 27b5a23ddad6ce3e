// Compiled into FerretDB (scripts/buildFerretDb.sh): writes take turns. SQLite lets one write at a time; FerretDB's connections find out by
// asking again and again, each with what it has read held open, so that the write-ahead log is never at rest and grows. With turns an update
// is also what it is on MongoDB: nobody writes between its look for what matches and its write.
package clientconn

import "sync"

var writing sync.Mutex

var writes = map[string]bool{
	"collMod": true, "compact": true, "create": true, "createIndexes": true, "delete": true, "drop": true, "dropDatabase": true, "dropIndexes": true,
	"findAndModify": true, "findandmodify": true, "insert": true, "renameCollection": true, "update": true,
}

// takeTurn waits until the command may begin; what it returns ends the turn.
func takeTurn(command string) func() {
	if !writes[command] {
		return func() {}
	}
	writing.Lock()
	return writing.Unlock
}

// BetweenWrites does something while nobody writes.
func BetweenWrites(do func()) {
	writing.Lock()
	defer writing.Unlock()
	do()
}
