/** A subscriber that catches up leaves time to others in the same process. */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

const EVENTS = 20_000;

it.each([
  ['of streams that are rare', { streamPrefixes: ['rare-'] }],
  ['of a type that is common', { types: ['Common'] }],
])('catching up with a long history yields to others in between (events %s)', async (_, filter) => {
  const store = rawEventStore();
  const event = () => ({ id: randomUUID(), type: 'Common', data: {}, metadata: metadataAt('2026-11-21T09:00:00.000Z') });
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
