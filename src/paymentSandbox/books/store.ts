/**
 * The sandbox's books: one SQLite file, one row per object. A request is one transaction, committed before its
 * response.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type Stripe from 'stripe';
import type { Kind, Kinds } from './kinds.ts';

export type Found = {
  readonly customer?: string | undefined;
  readonly tag?: string | undefined;
  readonly oldestFirst?: boolean;
};

export type Due = { readonly kind: Kind; readonly id: string; readonly at: number };

export type Store = {
  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined;
  /** Replaces an existing object. Its place in lists is that of its first write. */
  put<K extends Kind>(kind: K, object: Kinds[K] & { readonly id: string }): void;
  remove(kind: Kind, id: string): void;
  /** Newest first, lazily: the caller stops when it has enough. */
  each<K extends Kind>(kind: K, found?: Found): IterableIterator<Kinds[K]>;
  /** The earliest item due by `until`. */
  nextDue(until: number): Due | undefined;
  /** Small values that are not objects: the clock offset, keys, invoice numbers. */
  note(name: string): string | undefined;
  setNote(name: string, value: string): void;
  /** All or nothing: rolled back if `work` throws. */
  inOne<T>(work: () => T): T;
  readonly db: Database.Database;
  close(): void;
};

/** The secondary key by which an object is looked up, besides its id and customer. */
const TAGS: { readonly [K in Kind]?: (object: Kinds[K]) => string | null } = {
  price: (price) => price.lookup_key,
  promotion_code: (code) => code.code.toLowerCase(),
  charge: (charge) => idOf(charge.payment_intent),
  refund: (refund) => idOf(refund.charge),
  dispute: (dispute) => idOf(dispute.charge),
  invoice: (invoice) => idOf(invoice.parent?.subscription_details?.subscription),
  invoice_payment: (payment) => idOf(payment.invoice),
  checkout_item: (item) => item.session,
  pending_line: (line) => line.subscription,
  subscription_schedule: (schedule) => idOf(schedule.subscription),
};

const FIRST_PAYMENT_SECONDS = 23 * 3_600;

function dueOfSubscription({ status, created, cancel_at, pending_update, items }: Stripe.Subscription): number | null {
  if (status === 'canceled' || status === 'incomplete_expired' || status === 'paused') return null;
  if (status === 'incomplete') return created + FIRST_PAYMENT_SECONDS;
  const times = [cancel_at, pending_update?.expires_at, items.data[0]?.current_period_end].filter(
    (time) => typeof time === 'number',
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** When an object is due without any request. */
const DUE_AT: { readonly [K in Kind]?: (object: Kinds[K]) => number | null } = {
  subscription: dueOfSubscription,
  subscription_schedule: (schedule) =>
    schedule.status === 'active' ? (schedule.current_phase?.end_date ?? null) : null,
  invoice: (invoice) => (invoice.status === 'open' ? invoice.next_payment_attempt : null),
  checkout_session: (session) => (session.status === 'open' ? session.expires_at : null),
  slow_payment: (payment) => payment.due,
};

/** The id of a reference that may be expanded. */
export function idOf(reference: string | { readonly id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS objects (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, customer TEXT, tag TEXT, due INTEGER, json TEXT NOT NULL, UNIQUE (kind, id));
  CREATE INDEX IF NOT EXISTS by_customer ON objects (kind, customer, seq);
  CREATE INDEX IF NOT EXISTS by_tag ON objects (kind, tag, seq);
  CREATE INDEX IF NOT EXISTS by_kind ON objects (kind, seq);
  CREATE INDEX IF NOT EXISTS by_time ON objects (due) WHERE due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, request TEXT NOT NULL, request_id TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, endpoint TEXT NOT NULL, due INTEGER NOT NULL, tries INTEGER NOT NULL, state TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS deliveries_by_due ON deliveries (state, due);
  CREATE INDEX IF NOT EXISTS deliveries_by_event ON deliveries (event);`;

const customerOf = (object: unknown): string | null => {
  const customer = typeof object === 'object' && object !== null && 'customer' in object ? object.customer : null;
  return typeof customer === 'string' ? customer : null;
};

/** The file, which is created if it does not exist. @throws an error with the driver's code that names the file */
function openBooks(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.exec(SCHEMA);
    return db;
  } catch (error) {
    db?.close();
    if (!(error instanceof Database.SqliteError)) throw error;
    throw Object.assign(
      new Error(
        `The payment sandbox cannot open its books ${file}: ${error.message} (${error.code}). Moved away, they begin empty.`,
      ),
      {
        code: error.code,
      },
    );
  }
}

/** Opens `payments.db` in the folder, which is created if it does not exist. */
export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true });
  const db = openBooks(join(dataDir, 'payments.db'));
  const get = db.prepare<[string, string], { json: string }>('SELECT json FROM objects WHERE kind = ? AND id = ?');
  const put = db.prepare(
    `INSERT INTO objects (kind, id, customer, tag, due, json) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET customer = excluded.customer, tag = excluded.tag, due = excluded.due, json = excluded.json`,
  );
  const remove = db.prepare('DELETE FROM objects WHERE kind = ? AND id = ?');
  // At the same time, a schedule comes first: it determines its subscription's next state.
  const due = db.prepare<[number], Due>(
    `SELECT kind, id, due AS at FROM objects WHERE due <= ? ORDER BY due, kind <> 'subscription_schedule', kind <> 'subscription', seq LIMIT 1`,
  );
  const note = db.prepare<[string], { value: string }>('SELECT value FROM notes WHERE name = ?');
  const setNote = db.prepare('INSERT INTO notes VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value');
  return {
    db,
    get: <K extends Kind>(kind: K, id: string) => {
      const row = get.get(kind, id);
      return row && (JSON.parse(row.json) as Kinds[K]);
    },
    put: (kind, object) => {
      put.run(
        kind,
        object.id,
        customerOf(object),
        TAGS[kind]?.(object) ?? null,
        DUE_AT[kind]?.(object) ?? null,
        JSON.stringify(object),
      );
    },
    remove: (kind, id) => {
      remove.run(kind, id);
    },
    each: (kind, found) => eachOf(db, kind, found),
    nextDue: (until) => due.get(until),
    note: (name) => note.get(name)?.value,
    setNote: (name, value) => {
      setNote.run(name, value);
    },
    inOne: (work) => db.transaction(work).immediate(),
    close: () => db.close(),
  };
}

const PAGE = 100;

/** Reads page by page, so that others may write meanwhile. */
function* eachOf<K extends Kind>(
  db: Database.Database,
  kind: K,
  { customer, tag, oldestFirst = false }: Found = {},
): IterableIterator<Kinds[K]> {
  const where = `kind = @kind ${customer === undefined ? '' : 'AND customer = @customer'} ${tag === undefined ? '' : 'AND tag = @tag'}`;
  const sql = oldestFirst ? `${where} AND seq > @after ORDER BY seq` : `${where} AND seq < @after ORDER BY seq DESC`;
  const read = db.prepare<unknown[], { seq: number; json: string }>(
    `SELECT seq, json FROM objects WHERE ${sql} LIMIT ${PAGE}`,
  );
  for (let after = oldestFirst ? 0 : Number.MAX_SAFE_INTEGER; ; ) {
    const rows = read.all({ kind, customer, tag, after });
    for (const row of rows) yield JSON.parse(row.json) as Kinds[K];
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.seq;
  }
}
