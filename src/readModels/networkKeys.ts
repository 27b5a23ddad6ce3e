/**
 * The keys under which the log names the networks of submitters: one for each day, the same for all processes. With it
 * gone, what the log says about a network names none any more. Kept with the marks, never in the log.
 */
import { randomBytes } from 'node:crypto';
import type { Marks } from './claims.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A key is needed on its day, and on the next one by audits submitted just before midnight. */
const KEPT_DAYS = 2;
/** Of an installation that stood still: none is older than its last run of the sweep. */
const LOOK_BACK_DAYS = 60;

const markOf = (day: string): string => `network-key/${day}`;
const dayBefore = (today: string, days: number): string =>
  new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10);

/** `day`: `2026-11-29`, UTC. */
export async function networkKeyOf(marks: Pick<Marks, 'writeFirst'>, day: string): Promise<Buffer> {
  return Buffer.from(await marks.writeFirst(markOf(day), randomBytes(32).toString('base64')), 'base64');
}

/** `since`: the last day of the former run; null: there was none. Returns that day for the next run. */
export async function removeOldNetworkKeys(
  marks: Pick<Marks, 'remove'>,
  today: string,
  since: string | null,
): Promise<string> {
  const oldest = since ?? dayBefore(today, LOOK_BACK_DAYS);
  for (let days = KEPT_DAYS; dayBefore(today, days) >= oldest; days += 1)
    await marks.remove(markOf(dayBefore(today, days)));
  return dayBefore(today, KEPT_DAYS);
}
