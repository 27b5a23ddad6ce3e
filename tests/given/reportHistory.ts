/**
 * A fixed history with every type of event, consistently linked: the frozen events for two users with a job, a bill and a link
 * each, repeated once; then the first user is deleted.
 */
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { FROZEN_EVENTS } from './frozenEvents.ts';

const DELETIONS = ['AccountDeleted', 'JobDeleted', 'JobsDeleted', 'PlanDeleted', 'ShareRevoked', 'EmailRefused'];
const isDeletion = ({ type }: { readonly type: string }): boolean => DELETIONS.includes(type);
const FIRST_MS = Date.parse('2026-03-01T00:00:00.000Z');
const HOUR_MS = 60 * 60 * 1_000;

/** Frozen events are unrelated: here all ids of one kind belong to one user. */
export function ofUser(value: unknown, user: number, name = ''): unknown {
  if (typeof value === 'string') return name.endsWith('Id') ? `${name}-${user}` : name === 'host' ? `site-${user}.example` : value;
  if (Array.isArray(value)) return value.map((each) => ofUser(each, user, name.replace(/Ids$/, 'Id')));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, ofUser(inner, user, key)]));
}

const told = [
  ...[0, 1, 0, 1].flatMap((user) => FROZEN_EVENTS.filter((event) => !isDeletion(event)).map((event) => ({ event, user }))),
  ...FROZEN_EVENTS.filter(isDeletion).map((event) => ({ event, user: 0 })),
];

export const HISTORY: readonly RecordedEvent[] = told.map(({ event: { type, data, metadata }, user }, nth) => ({
  ...{ id: `event-${nth}`, type, data: ofUser(data, user) as RecordedEvent['data'], stream: 'any', revision: BigInt(nth) },
  metadata: { ...metadata, at: new Date(FIRST_MS + nth * HOUR_MS).toISOString() },
  position: String(nth).padStart(20, '0'),
}));
