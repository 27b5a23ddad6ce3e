// Compiled into FerretDB's public package, where this server finds it.
package ferretdb

import "github.com/FerretDB/FerretDB/internal/turns"

// BetweenWrites does something while no command writes.
func BetweenWrites(do func()) { turns.Between(do) }
