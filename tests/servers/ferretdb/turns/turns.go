// Package turns is compiled into FerretDB (scripts/buildFerretDb.sh): writes take turns. SQLite lets one write at a time; FerretDB's connections find out by
// asking again and again, each with what it has read held open, so that the write-ahead log is never at rest and grows. With turns an update
// is also what it is on MongoDB: nobody writes between its look for what matches and its write.
package turns

import "sync"

var (
	writing sync.Mutex
	many    sync.Mutex
)

// An update command is not among them: each of its updates takes a turn.
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

// Updates waits until a command of so many updates may begin; what it returns ends it. Commands of several come one after the other, so that whoever writes a
// little waits for single updates of one of them only, as on MongoDB.
func Updates(count int) func() {
	if count == 1 {
		return func() {}
	}
	many.Lock()
	return many.Unlock
}

// Between does something while nobody writes.
func Between(do func()) {
	defer Take()()
	do()
}
