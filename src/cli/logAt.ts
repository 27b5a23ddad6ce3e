/** A log specified on the command line: a file, or the URL of a server. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStore } from '../eventStore/eventStore.ts';
import { openSqliteEventStore } from '../eventStore/sqlite/sqlite.ts';

/** A user is waiting. */
const CONNECT_MS = 3_000;

const SERVER = /^(esdb|kurrentdb|kdb)(\+discover)?:\/\/[^/]/i;

export class BadInput extends Error {}

export type Log = { readonly name: string; readonly file: string | null; readonly open: () => Promise<EventStore> };

/** A file, or the URL of a server. @throws BadInput */
export function logAt(text: string, option: string): Log {
  if (SERVER.test(text)) return { name: withoutPassword(text), file: null, open: () => openServer(text) };
  if (/^[a-z][a-z0-9+.-]+:/i.test(text))
    throw new BadInput(`${option}: ${withoutPassword(text)} is neither a file nor an esdb:// address.`);
  if (existsSync(text) && statSync(text).isDirectory())
    throw new BadInput(`${option}: ${text} is a folder. Name the file in it, such as ${join(text, 'events.db')}.`);
  return { name: text, file: text, open: async () => openSqliteEventStore({ file: text }) };
}

async function openServer(url: string): Promise<EventStore> {
  // The client is large, and not needed for file-to-file copies.
  const { openEventStoreDb } = await import('../eventStore/eventStoreDb/eventStoreDb.ts');
  return openEventStoreDb({ url, connectTimeoutMs: CONNECT_MS });
}

function withoutPassword(address: string): string {
  return address.replace(/^([^/]*:\/\/[^/@]*?:)[^/]*@/, '$1***@');
}
