/** The deliveries of consumer groups: the queue's table. Runs inside the writer's transaction. */
import type { EventFilter, ParkedEvent, RecordedEvent } from './eventStore.ts';
import type { EventDatabase } from './sqliteFile.ts';
import type { ReadLog } from './sqliteRead.ts';
import { EVENT_COLUMNS, type EventRow, toEvent } from './sqliteRows.ts';

/** A delivery in a consumer's hands; the lease number is never given twice in a process, and none outlives the process. */
export type Lease = { readonly group: string; readonly position: bigint; readonly lease: bigint; readonly attempt: number; readonly event: RecordedEvent };

export type LeaseTerms = { readonly group: string; readonly filter: EventFilter; readonly leaseMs: number; readonly maxAttempts: number };

/** A group's place in the log: everything up to it is in the table or settled. */
export type Feed = { fed: bigint | null };

export type Deliveries = {
  /** The delivery that is due longest, if any; feeds the table from the log when none is due. */
  readonly take: (terms: LeaseTerms, feed: Feed, now: number) => Lease | null;
  readonly fedTo: (group: string, feed: Feed) => bigint;
  /** When the next delivery is due (or its lease ends), in ms; null when there is none. */
  readonly nextDue: (group: string) => number | null;
  /** The next four are false when the lease is no longer this consumer's. */
  readonly ack: (lease: Lease) => boolean;
  readonly extend: (lease: Lease, until: number) => boolean;
  readonly giveBack: (lease: Lease, attempts: number, due: number, reason: string | null) => boolean;
  readonly park: (lease: Lease, reason: string, at: number) => boolean;
  readonly listParked: (group: string, limit: number) => readonly ParkedEvent[];
  readonly replayParked: (group: string, now: number) => number;
  /** Leases of a process that is gone: their events are due at once. */
  readonly giveAllBack: () => void;
};

/** Deliveries put into the table in one go. */
const FEED_BATCH = 200;
/** How far the remembered place may run ahead of the stored one through events that the group does not want. */
const UNSTORED_STRETCH = 10_000n;
const MAX_REASON_CHARACTERS = 2_000;

export function createDeliveries(db: EventDatabase, readLog: ReadLog): Deliveries {
  const selectFed = db.prepare<[string], bigint>('SELECT fed FROM consumer_groups WHERE name = ?').pluck().safeIntegers();
  const storeFed = db.prepare('INSERT INTO consumer_groups (name, fed) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET fed = excluded.fed');
  const insert = db.prepare('INSERT OR IGNORE INTO deliveries (consumer_group, position, attempts, due) VALUES (?, ?, 0, ?)');
  const selectDue = db
    .prepare<[string, number], [position: bigint, attempts: bigint, reason: string | null]>(
      'SELECT position, attempts, reason FROM deliveries WHERE consumer_group = ? AND parked_at IS NULL AND due <= ? ORDER BY due LIMIT 1',
    )
    .raw()
    .safeIntegers();
  const selectNextDue = db.prepare<[string], number | null>('SELECT min(due) FROM deliveries WHERE consumer_group = ? AND parked_at IS NULL').pluck();
  const selectEvent = db.prepare<[bigint], EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE position = ?`).raw().safeIntegers();
  const lend = db.prepare('UPDATE deliveries SET lease = ?, attempts = ?, due = ? WHERE consumer_group = ? AND position = ?');
  const drop = db.prepare('DELETE FROM deliveries WHERE consumer_group = ? AND position = ?');
  const parkNow = db.prepare('UPDATE deliveries SET lease = NULL, parked_at = ?, reason = ? WHERE consumer_group = ? AND position = ?');
  const held = 'WHERE consumer_group = ? AND position = ? AND lease = ?';
  const ackHeld = db.prepare(`DELETE FROM deliveries ${held}`);
  const extendHeld = db.prepare(`UPDATE deliveries SET due = ? ${held}`);
  const giveBackHeld = db.prepare(`UPDATE deliveries SET lease = NULL, attempts = ?, due = ?, reason = coalesce(?, reason) ${held}`);
  const parkHeld = db.prepare(`UPDATE deliveries SET lease = NULL, parked_at = ?, reason = ? ${held}`);
  const selectParked = db
    .prepare<[string, number], [...EventRow, reason: string | null, attempts: bigint, parkedAt: string]>(
      `SELECT ${EVENT_COLUMNS}, reason, attempts, parked_at FROM deliveries JOIN events USING (position)
       WHERE consumer_group = ? AND parked_at IS NOT NULL ORDER BY position LIMIT ?`,
    )
    .raw()
    .safeIntegers();
  const replay = db.prepare('UPDATE deliveries SET parked_at = NULL, reason = NULL, attempts = 0, due = ? WHERE consumer_group = ? AND parked_at IS NOT NULL');
  const release = db.prepare('UPDATE deliveries SET lease = NULL, due = 0 WHERE lease IS NOT NULL');
  let leases = 0n;

  function fedTo(group: string, feed: Feed): bigint {
    feed.fed ??= selectFed.get(group) ?? 0n;
    return feed.fed;
  }

  function feedMore(group: string, filter: EventFilter, feed: Feed, now: number): void {
    const from = fedTo(group, feed);
    const page = readLog({ after: from, direction: 'forward', limit: FEED_BATCH, filter });
    for (const row of page.rows) insert.run(group, row[0], now);
    feed.fed = page.next;
    if (page.rows.length > 0 || page.next - (selectFed.get(group) ?? 0n) >= UNSTORED_STRETCH) storeFed.run(group, page.next);
  }

  function takeDue({ group, leaseMs, maxAttempts }: LeaseTerms, now: number): Lease | null {
    for (;;) {
      const due = selectDue.get(group, now);
      if (due === undefined) return null;
      const [position, attempts, reason] = due;
      const row = selectEvent.get(position);
      // Its stream was deleted meanwhile.
      if (row === undefined) drop.run(group, position);
      else if (attempts >= maxAttempts) parkNow.run(iso(now), reason ?? 'No answer before its lease ended.', group, position);
      else {
        leases += 1n;
        const attempt = Number(attempts) + 1;
        lend.run(leases, attempt, now + leaseMs, group, position);
        return { group, position, lease: leases, attempt, event: toEvent(row) };
      }
    }
  }

  return {
    take(terms, feed, now) {
      const due = takeDue(terms, now);
      if (due !== null) return due;
      feedMore(terms.group, terms.filter, feed, now);
      return takeDue(terms, now);
    },
    fedTo,
    nextDue: (group) => selectNextDue.get(group) ?? null,
    ack: ({ group, position, lease }) => ackHeld.run(group, position, lease).changes > 0,
    extend: ({ group, position, lease }, until) => extendHeld.run(until, group, position, lease).changes > 0,
    giveBack: ({ group, position, lease }, attempts, due, reason) =>
      giveBackHeld.run(attempts, due, reason?.slice(0, MAX_REASON_CHARACTERS) ?? null, group, position, lease).changes > 0,
    park: ({ group, position, lease }, reason, at) => parkHeld.run(iso(at), reason.slice(0, MAX_REASON_CHARACTERS), group, position, lease).changes > 0,
    listParked: (group, limit) =>
      selectParked.all(group, limit).map((row) => ({
        event: toEvent(row as unknown as EventRow),
        reason: row[7] ?? '',
        attempts: Number(row[8]),
        parkedAt: row[9],
      })),
    replayParked: (group, now) => replay.run(now, group).changes,
    giveAllBack: () => {
      release.run();
    },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
