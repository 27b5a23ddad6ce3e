// FerretDB on SQLite as one small process: MongoDB's wire protocol for tests and benches.
//
// It prints one line, `ready mongodb://127.0.0.1:PORT/`, and ends on SIGTERM, on SIGINT, and when the process that
// started it closes the pipe of its standard input (so a test run that is killed leaves nothing behind).
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	port := flag.Int("port", 0, "port on 127.0.0.1, 0 for any free one")
	dir := flag.String("dir", "", "directory of the databases, one SQLite file each; made when absent")
	flag.Parse()
	if err := run(*port, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "ferretdb:", err)
		os.Exit(1)
	}
}

func run(port int, dir string) error {
	if dir == "" {
		return fmt.Errorf("--dir is required")
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	endWithStarter(stop)

	// What is acknowledged outlives a kill of this process, not a loss of power.
	databases := url.URL{Scheme: "file", Path: path + "/", RawQuery: "_pragma=synchronous(normal)"}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: fmt.Sprintf("127.0.0.1:%d", port)},
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Handler:   "sqlite",
		SQLiteURL: databases.String(),
	})
	if err != nil {
		return err
	}

	go keepLogsShort(ctx, path)
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx) }()
	fmt.Println("ready", server.MongoDBURI())
	return <-ended
}

// endWithStarter calls stop once standard input ends, when it is a pipe; a terminal or /dev/null says nothing about a starter.
func endWithStarter(stop func()) {
	info, err := os.Stdin.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
}
