/**
 * A subscriber that catches up leaves time to others in the same process, and gets what the log has, whether it is read
 * from the file or still in memory.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventFilter, EventStore, NewEvent, Position, RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import { toPosition } from '../../../src/eventStore/positions.ts';
import { runs } from '../../given/fullForm.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

const EVENTS = 20_000;

it.each([
  ['of streams that are rare', { streamPrefixes: ['rare-'] }],
  ['of a type that is common', { types: ['Common'] }],
])('catching up with a long history yields to others in between (events %s)', async (_, filter) => {
  const store = rawEventStore();
  const event = () => ({
    id: randomUUID(),
    type: 'Common',
    data: {},
    metadata: metadataAt('2026-11-21T09:00:00.000Z'),
  });
  for (let from = 0; from < EVENTS; from += 1_000) {
    const events = Array.from({ length: 1_000 }, event);
    await store.append(`stream-${from}`, events, { expected: 'no_stream' });
  }
  let hasCaughtUp = false;
  const following = (async () => {
    for await (const { kind } of store.subscribe({ filter })) {
      if (kind !== 'caughtUp') continue;
      hasCaughtUp = true;
      return;
    }
  })();
  let turns = 0;
  for (; !hasCaughtUp; turns += 1) await turn();
  await following;
  expect(turns).toBeGreaterThan(2);
  await store.close();
});

async function untilCaughtUp(
  store: EventStore,
  after: Position,
  filter: EventFilter,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const message of store.subscribe({ after, filter })) {
    if (message.kind === 'caughtUp') break;
    if (message.kind === 'events') events.push(...message.events);
  }
  return events;
}

it('a subscriber gets what a reader of the log gets, whatever was appended, refused, truncated and deleted', async () => {
  const stream = fc.constantFrom('tea-1', 'tea-2', 'shop-1');
  const change = fc.record({
    stream,
    what: fc.constantFrom('append', 'append', 'append', 'refused', 'truncate', 'delete'),
    text: fc.string({ unit: 'binary' }),
    count: fc.integer({ min: 1, max: 5 }),
  });
  const filters: readonly EventFilter[] = [
    {},
    { types: ['Odd'] },
    { streamPrefixes: ['tea-'] },
    { types: ['Even', 'Odd'], streamPrefixes: ['shop-'] },
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (changes) => {
      const store = rawEventStore();
      const at = metadataAt('2026-11-21T09:00:00.000Z');
      const positions: Position[] = [await store.head()];
      for (const { stream, what, text, count } of changes) {
        const events = Array.from(
          { length: count },
          (_, index): NewEvent => ({
            id: randomUUID(),
            type: index % 2 === 0 ? 'Even' : 'Odd',
            data: { text },
            metadata: at,
          }),
        );
        if (what === 'append') await store.append(stream, events, { expected: 'any' }).catch(() => undefined);
        if (what === 'refused')
          await Promise.allSettled([
            store.append(stream, events, { expected: 99n }),
            store.append('shop-1', events.slice(0, 1), { expected: 'any' }),
          ]);
        if (what === 'truncate') await store.truncate(stream, BigInt(count)).catch(() => undefined);
        if (what === 'delete') await store.delete(stream);
        positions.push(await store.head());
      }
      for (const after of positions)
        for (const filter of filters)
          expect(await untilCaughtUp(store, after, filter)).toEqual((await store.readAll({ after, filter })).events);
      await store.close();
    }),
    { numRuns: runs(40), seed: 20_261_126 },
  );
});

it('a subscriber that asks for what comes after a position not yet reached gets nothing from before it', async () => {
  const store = rawEventStore();
  const append = (count: number) =>
    store.append(
      'tea-1',
      Array.from({ length: count }, () => ({
        id: randomUUID(),
        type: 'Even',
        data: {},
        metadata: metadataAt('2026-11-21T09:00:00.000Z'),
      })),
      { expected: 'any' },
    );
  await append(3);
  const messages = store.subscribe({ after: toPosition(5n) })[Symbol.asyncIterator]();
  expect((await messages.next()).value).toEqual({ kind: 'caughtUp', position: toPosition(5n) });
  const next = messages.next();
  await append(1);
  await append(3);
  expect((await next).value).toMatchObject({
    kind: 'events',
    events: [{ position: toPosition(6n) }, { position: toPosition(7n) }],
  });
  await messages.return?.();
  await store.close();
});
