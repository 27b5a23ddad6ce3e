// Package turns is compiled into FerretDB (scripts/buildFerretDb.sh): writes take turns. SQLite lets one write at a time; FerretDB's connections find out by
// asking again and again, each with what it has read held open, so that the write-ahead log is never at rest and grows. With turns an update
// is also what it is on MongoDB: nobody writes between its look for what matches and its write.
package turns

import "sync"

var writing sync.Mutex

// An update command is not among them: each of its updates takes a turn, so that others need not wait for all of them.
var writes = map[string]bool{
	"collMod": true, "compact": true, "create": true, "createIndexes": true, "delete": true, "drop": true, "dropDatabase": true, "dropIndexes": true,
	"findAndModify": true, "findandmodify": true, "insert": true, "renameCollection": true,
}

// Of waits until the command may begin; what it returns ends the turn.
func Of(command string) func() {
	if !writes[command] {
		return func() {}
	}
	return Take()
}

// Take waits for a turn; what it returns ends it, once.
func Take() func() {
	writing.Lock()
	return sync.OnceFunc(writing.Unlock)
}

// Between does something while nobody writes.
func Between(do func()) {
	defer Take()()
	do()
}
