package main

import (
	"context"
	"database/sql"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/FerretDB/FerretDB/ferretdb"
	_ "modernc.org/sqlite"
)

const (
	// From here on reads become slow: they look for each page in all of the log.
	longLog = 32 << 20
	every   = 5 * time.Second
)

// keepLogsShort empties write-ahead logs that have grown long. SQLite does so only in a moment in which nobody reads, and under load there is none: the log
// grows, reads become slower, and there is even less of one. So first what is in the log is written to its place, beside everything else; then, between two
// writes, SQLite is asked to wait for the readers and to empty it. A write that is under way reads, too, and would wait for its part.
func keepLogsShort(ctx context.Context, dir string) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			logs, _ := filepath.Glob(filepath.Join(dir, "*.sqlite-wal"))
			for _, log := range logs {
				if info, err := os.Stat(log); err == nil && info.Size() >= longLog {
					empty(ctx, log[:len(log)-len("-wal")])
				}
			}
		}
	}
}

// empty keeps writers waiting for readers for a quarter of a second; when those take longer, the next time may do. A database that was dropped meanwhile is not
// made again.
func empty(ctx context.Context, path string) {
	address := url.URL{Scheme: "file", Path: path, RawQuery: "mode=rw&_pragma=busy_timeout(250)"}
	database, err := sql.Open("sqlite", address.String())
	if err != nil {
		return
	}
	defer database.Close()
	_, _ = database.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	ferretdb.BetweenWrites(func() { _, _ = database.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)") })
}
