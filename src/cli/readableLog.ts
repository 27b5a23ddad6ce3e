/** A log opened for reading only, even while a server has it open. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { EventStore } from '../eventStore/eventStore.ts';
import { requestBackup } from '../eventStore/folderRequests.ts';
import { shownEvents } from '../eventStore/shownEvents.ts';
import { openSqliteEventStore } from '../eventStore/sqlite/sqlite.ts';
import { withMaskedReasons } from '../history/maskedReasons.ts';
import type { Config } from '../start/config.ts';
import { partOf, removeEndedParts, removePart } from '../start/partFiles.ts';
import { BadInput, type Log, logAt } from './logAt.ts';

/** `Store`: the reader's type. */
type Opened<Store> = {
  readonly store: Store;
  /** The server has the file open: a recent copy is read. */
  readonly isCopy: boolean;
  /**
   * Closes the store alone, and names the file, which others can open then, until `close` or `hide`. Null where there
   * is no file.
   */
  readonly release: (() => Promise<string>) | null;
  /** A copy has no name any longer, so that a kill leaves nothing behind. On Windows, closing removes it. */
  hide(): void;
  close(): Promise<void>;
};

export type ReadableLog = Opened<Pick<EventStore, 'readAll' | 'scan' | 'head'>>;

const OF_SERVER = 'events.db';

/** The given log, otherwise the installation's. @throws BadInput */
export function namedLog(given: string | undefined, { servers, DATA_DIR }: Pick<Config, 'servers' | 'DATA_DIR'>): Log {
  if (given !== undefined) return logAt(given, '--log');
  return logAt(servers?.eventStoreUrl ?? join(DATA_DIR, OF_SERVER), servers ? 'EVENTSTORE_URL' : 'DATA_DIR');
}

/** As its streams show it. `mayRelease`: a copy keeps its name, and the caller hides it. @throws as `openAsStored` */
export async function openForReading(log: Log, mayRelease = false): Promise<ReadableLog> {
  const opened = await openAsStored(log, mayRelease);
  // A server still returns erased events until it has been scavenged.
  const store = withMaskedReasons(opened.store);
  return { ...opened, store: log.file === null ? shownEvents(store) : store };
}

/**
 * Everything stored in it. A running server keeps its file locked, so it is asked for a copy, which stays in its data
 * folder while it is read.
 * @throws BadInput when there is no such file, EventStoreError when it cannot be read
 */
export async function openAsStored(log: Log, mayRelease = false): Promise<Opened<EventStore>> {
  if (log.file !== null && !existsSync(log.file)) throw new BadInput(`There is no event log ${log.file}.`);
  const copy = log.file !== null && basename(log.file) === OF_SERVER ? await copyOfServer(dirname(log.file)) : null;
  if (copy === null) {
    const store = await log.open();
    const { file } = log;
    return {
      store,
      isCopy: false,
      release: file === null ? null : () => store.close().then(() => file),
      hide: () => undefined,
      close: () => store.close(),
    };
  }
  try {
    const store = openSqliteEventStore({ file: copy });
    const hide = (): void => {
      if (process.platform !== 'win32') removePart(copy);
    };
    if (!mayRelease) hide();
    return {
      store,
      isCopy: true,
      release: () => store.close().then(() => copy),
      hide,
      close: () => store.close().finally(() => removePart(copy)),
    };
  } catch (error) {
    removePart(copy);
    throw error;
  }
}

/** Null: no server is running there. */
async function copyOfServer(folder: string): Promise<string | null> {
  removeEndedParts(folder);
  const copy = partOf(resolve(folder, 'reading.db'));
  try {
    // Created here, so that only this user can read it.
    writeFileSync(copy, '', { mode: 0o600 });
    if (await requestBackup(folder, copy)) return copy;
    removePart(copy);
    return null;
  } catch (error) {
    removePart(copy);
    throw error;
  }
}
