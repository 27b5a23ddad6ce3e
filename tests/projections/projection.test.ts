import { expect, it } from 'vitest';
import type { EventOf } from '../../src/domain/stored/eventOf.ts';
import { each, projection } from '../../src/projections/projection.ts';
import { project, recorded } from '../given/stores/projection.ts';

type Seen = { readonly types: readonly string[] };

const seen = projection<Seen>()({
  name: 'seen',
  version: 1,
  indexes: [],
  keys: ({ data }) => [data.jobId],
  on: {
    JobUnlocked: () => ({ types: ['JobUnlocked'] }),
    ...each(
      ['JobQueued', 'JobDeleted'],
      (document: Seen | null, { type }, key) => document && { types: [...document.types, `${type} ${key}`] },
    ),
  },
});

const at = '2026-03-01T10:00:00.000Z';

it('handles the event types it has a function for, each by its own', () => {
  expect(seen.handles).toEqual(['JobUnlocked', 'JobQueued', 'JobDeleted']);
  const events: readonly EventOf<(typeof seen.handles)[number]>[] = [
    { type: 'JobUnlocked', data: { jobId: 'j', userId: 'ann', unlockedAt: at } },
    { type: 'JobQueued', data: { jobId: 'j', queuedAt: at } },
    { type: 'JobDeleted', data: { jobId: 'j', userId: 'ann', deletedAt: at } },
  ];
  expect(project(seen, ...events)).toEqual({ j: { types: ['JobUnlocked', 'JobQueued j', 'JobDeleted j'] } });
});

it('leaves a document as it is at any other event', () => {
  const document: Seen = { types: [] };
  for (const event of recorded(['JobCancelled', 'toString'].map((type) => ({ type, data: { jobId: 'j' } }))))
    expect(seen.evolve(document, event as never, 'j')).toBe(document);
});
