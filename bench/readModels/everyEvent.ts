/**
 * Logs with every type of event that reports may read: users, each with an account, a bill, an audit with its plan,
 * links, emails and the rest.
 */
import { randomUUID } from 'node:crypto';
import type { ActionItem } from '../../src/domain/plan/events.ts';
import { STREAM_KINDS } from '../../src/domain/stored/catalogue/streamKinds.ts';
import type { NewEvent } from '../../src/eventStore/eventStore.ts';
import { actionItem } from '../../tests/given/analysis.ts';
import { FROZEN_EVENTS } from '../../tests/given/frozenEvents.ts';
import { ofUser } from '../../tests/given/reportHistory.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
export const FIRST_DAY = Date.UTC(2024, 0, 1);
export const DAYS = 700;
/** Of each plan, out of as many as all checks have. */
const ITEMS = 24;
const CHECKS = 150;

export type Written = { readonly stream: string; readonly events: readonly NewEvent[] };

/** What a deletion leaves is another log: nothing is deleted here. */
const DELETIONS = ['AccountDeleted', 'JobDeleted', 'JobsDeleted', 'PlanDeleted', 'ShareRevoked', 'EmailRefused'];
const KEPT = FROZEN_EVENTS.filter(({ type }) => !DELETIONS.includes(type));

const kindOf = (type: string): string => STREAM_KINDS.find(({ types }) => Object.hasOwn(types, type))?.kind ?? 'none';

/** When the event at a place in a log of `count` events happened: UTC ISO. */
export const timeOf = (place: number, count: number): string =>
  new Date(FIRST_DAY + Math.floor((place / count) * DAYS) * DAY_MS).toISOString();

/** Streams with `count` events in all, user by user. */
export function* everyEvent(count: number): Generator<Written> {
  for (let [written, user] = [0, 0]; written < count; user += 1) {
    const streams = new Map<string, NewEvent[]>();
    for (const { type, data, metadata } of KEPT.slice(0, count - written)) {
      const stream = `${kindOf(type)}-${user}`;
      const events = streams.get(stream) ?? [];
      streams.set(stream, events);
      events.push({
        id: randomUUID(),
        type,
        data: dataOf(type, data, user),
        metadata: { ...metadata, at: timeOf(written, count) },
      });
      written += 1;
    }
    for (const [stream, events] of streams) yield { stream, events };
  }
}

function dataOf(type: string, data: Readonly<Record<string, unknown>>, user: number): object {
  const own = ofUser(data, user) as object;
  const items = itemsOf(user);
  if (type === 'PlanGenerated') return { ...own, items, count: items.length };
  return 'actionId' in own ? { ...own, actionId: items[user % ITEMS]?.id } : own;
}

const itemsOf = (user: number): readonly ActionItem[] =>
  Array.from({ length: ITEMS }, (_, nth) => actionItem(`check-of-a-page-${(user * 7 + nth) % CHECKS}`));
