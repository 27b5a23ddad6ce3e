/**
 * The log in a file: one line of JSON for each write, flushed before the answer, so that a killed process restarts with
 * it.
 */
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  openSync,
  readSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import type { StoredEvent } from './records.ts';

type Line = { id: string; s: string; r: string; p: string; t: string; j: boolean; d: string; m: string; c: number };

const flush = promisify(fdatasync);

const PIECE = 4 * 1024 * 1024;

export type Journal = {
  /**
   * The writes so far, in order, and the positions that once had an event. A last line truncated by a kill was never
   * answered, and is dropped.
   */
  read(): Iterable<{ readonly events: readonly StoredEvent[]; readonly scavenged: readonly bigint[] }>;
  append(events: readonly StoredEvent[]): void;
  /** Resolves when everything appended is on disk. As on a real server, writes during one flush share the next. */
  flushed(): Promise<void>;
  /** Replaces the contents by `events`; `scavenged` are the positions that once had an event. */
  rewrite(events: readonly StoredEvent[], scavenged: Iterable<bigint>): void;
  close(): void;
};

export function openJournal(path: string): Journal {
  let file: number | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const opened = (): number => {
    file ??= openSync(path, 'a');
    return file;
  };
  return {
    *read() {
      if (!existsSync(path)) return;
      let whole = 0;
      for (const line of linesOf(path)) {
        whole += line.length + 1;
        const parsed = JSON.parse(line.toString()) as Line[] | { scavenged: string[] };
        yield Array.isArray(parsed)
          ? { events: parsed.map(fromLine), scavenged: [] }
          : { events: [], scavenged: parsed.scavenged.map(BigInt) };
      }
      truncateSync(path, whole);
    },
    append(events) {
      writeSync(opened(), `${JSON.stringify(events.map(toLine))}\n`);
    },
    flushed() {
      next ??= flushing = flushing.then(() => {
        next = null;
        return flush(opened());
      });
      return next;
    },
    rewrite(events, scavenged) {
      const next = openSync(`${path}.next`, 'w');
      writeSync(next, `${JSON.stringify({ scavenged: [...scavenged].map(String) })}\n`);
      for (const event of events) writeSync(next, `${JSON.stringify([toLine(event)])}\n`);
      fdatasyncSync(next);
      closeSync(next);
      this.close();
      renameSync(`${path}.next`, path);
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** In chunks: a long log may exceed the maximum length of a string. Without the last line if it is incomplete. */
function* linesOf(path: string): Iterable<Buffer> {
  const file = openSync(path, 'r');
  const piece = Buffer.alloc(PIECE);
  let rest = Buffer.alloc(0);
  for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
    let buffer = Buffer.concat([rest, piece.subarray(0, read)]);
    for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10)) {
      yield buffer.subarray(0, end);
      buffer = buffer.subarray(end + 1);
    }
    rest = buffer;
  }
  closeSync(file);
}

function toLine(event: StoredEvent): Line {
  return {
    id: event.id,
    s: event.stream,
    r: String(event.revision),
    p: String(event.position),
    t: event.type,
    j: event.json,
    d: Buffer.from(event.data).toString('base64'),
    m: Buffer.from(event.metadata).toString('base64'),
    c: event.created,
  };
}

function fromLine(line: Line): StoredEvent {
  return {
    id: line.id,
    stream: line.s,
    revision: BigInt(line.r),
    position: BigInt(line.p),
    type: line.t,
    json: line.j,
    data: Buffer.from(line.d, 'base64'),
    metadata: Buffer.from(line.m, 'base64'),
    created: line.c,
  };
}
