/**
 * A fixed history with every type of event, consistently linked: the frozen events for two users with a job, a bill and
 * a link each, repeated once; then the first user is deleted. Each event has a time and place of its own: one more
 * changes those of no other.
 */
import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { FROZEN_EVENTS } from './frozenEvents.ts';

const DELETIONS = ['AccountDeleted', 'JobDeleted', 'JobsDeleted', 'PlanDeleted', 'ShareRevoked', 'EmailRefused'];
const isDeletion = ({ type }: { readonly type: string }): boolean => DELETIONS.includes(type);
const FIRST_MS = Date.parse('2026-03-01T00:00:00.000Z');
/** How long one telling takes: the five of them cover two months. */
const TELLING_MS = 8 * 24 * 60 * 60 * 1_000;

/** Frozen events are unrelated: here all ids of one kind belong to one user. */
export function ofUser(value: unknown, user: number, name = ''): unknown {
  if (typeof value === 'string')
    return name.endsWith('Id') ? `${name}-${user}` : name === 'host' ? `site-${user}.example` : value;
  if (Array.isArray(value)) return value.map((each) => ofUser(each, user, name.replace(/Ids$/, 'Id')));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, ofUser(inner, user, key)]));
}

/**
 * Where an event is within its telling, ms: by its own name alone, so that a further event leaves all others where they
 * are.
 */
const placeOf = (sample: string): number => createHash('sha256').update(sample).digest().readUInt32BE() % TELLING_MS;

/** `samples`: of all events that there are. */
export function historyOf(samples: typeof FROZEN_EVENTS): readonly RecordedEvent[] {
  const told = [
    ...[0, 1, 0, 1].flatMap((user, nth) =>
      samples.filter((event) => !isDeletion(event)).map((event) => ({ event, user, nth })),
    ),
    ...samples.filter(isDeletion).map((event) => ({ event, user: 0, nth: 4 })),
  ];
  return told
    .map(({ event: { sample, type, data, metadata }, user, nth }) => {
      const place = nth * TELLING_MS + placeOf(sample);
      return {
        id: `${sample}-${nth}`,
        type,
        data: ofUser(data, user) as RecordedEvent['data'],
        stream: 'any',
        revision: BigInt(place),
        metadata: { ...metadata, at: new Date(FIRST_MS + place).toISOString() },
        position: String(place).padStart(20, '0'),
      };
    })
    .sort((a, b) => (a.position < b.position ? -1 : 1));
}

export const HISTORY = historyOf(FROZEN_EVENTS);
