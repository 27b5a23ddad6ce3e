import { expect, it } from 'vitest';
import { keptAnswers } from '../../src/projections/keptAnswers.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { fold, recorded } from '../given/stores/projection.ts';

const MINUTE_MS = 60_000;
const DAY = 24 * 60;
const accepted = { type: 'RequestAccepted', data: { bodyHash: 'h', plan: null, acceptedAt: '' } } as const;

/** Requests of these users at these minutes (0: the first of March). */
function asked(...requests: readonly (readonly [userId: string, minute: number])[]) {
  const events = recorded(requests.map(() => accepted));
  return events.map((event, index) => {
    const [userId = '', minute = 0] = requests[index] ?? [];
    const at = new Date(Date.parse('2026-03-01T12:00:00.000Z') + minute * MINUTE_MS).toISOString();
    return { ...event, stream: `request-${index}`, metadata: metadataAt(at, { kind: 'user', id: userId }) };
  });
}

it('lists the requests of each user by minute', () => {
  const documents = Object.values(
    fold(keptAnswers, asked(['ann', 0], ['bob', 0], ['ann', 0.9], ['ann', 1], ['ann', DAY])),
  );
  expect(documents).toEqual([
    { userId: 'ann', minute: '2026-03-01T12:00', streams: ['request-0', 'request-2'] },
    { userId: 'bob', minute: '2026-03-01T12:00', streams: ['request-1'] },
    { userId: 'ann', minute: '2026-03-01T12:01', streams: ['request-3'] },
    { userId: 'ann', minute: '2026-03-02T12:00', streams: ['request-4'] },
  ]);
});

it('keeps its documents small, however many requests a day has', () => {
  const documents = Object.values(
    fold(keptAnswers, asked(...Array.from({ length: 6_000 }, (_, nth) => ['ann', nth / 100] as const))),
  );
  expect(documents.flatMap(({ streams }) => streams)).toHaveLength(6_000);
  expect(Math.max(...documents.map(({ streams }) => streams.length))).toBe(100);
});

it('keeps only what may not have been erased yet, and does not grow with the years', () => {
  const monthApart = Object.values(fold(keptAnswers, asked(['ann', 0], ['ann', 31 * DAY])));
  expect(monthApart.flatMap(({ streams }) => streams)).toEqual(['request-0', 'request-1']);
  const years = Object.values(
    fold(keptAnswers, asked(...Array.from({ length: 1_000 }, (_, day) => ['ann', day * DAY] as const))),
  );
  expect(years).toHaveLength(32);
  expect(Math.min(...years.map(({ streams }) => Number(streams[0]?.replace('request-', ''))))).toBe(1_000 - 32);
});

it('ignores requests without a user', () => {
  const [event] = recorded([accepted]).map((each) => ({
    ...each,
    metadata: metadataAt(each.metadata.at, { kind: 'anonymous', id: 'anonymous' }),
  }));
  expect(() => event && keptAnswers.keys(event)).toThrow(/user/);
});

it('lists requests with a user’s API key as the user’s', () => {
  const events = asked(['ann', 0]).map((event) => ({
    ...event,
    metadata: { ...event.metadata, actor: { kind: 'apiKey', id: 'k', onBehalfOf: 'ann' } as const },
  }));
  expect(Object.values(fold(keptAnswers, events))).toMatchObject([{ userId: 'ann' }]);
});
