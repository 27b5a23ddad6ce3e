import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isOf } from '../../src/domain/stored/eventOf.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { namesIn } from '../../src/history/keptNames.ts';
import { roundsDuring, slowly } from '../given/loopRounds.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';

const STREAM = 'webhooks-ann';
const AT = '2026-03-10T12:00:00.000Z';
const recorded = (type: string, data: object) => ({ id: randomUUID(), type, data, metadata: metadataAt(AT) });
const ofEndpoint = (endpointId: string) => ({ endpointId, userId: 'ann' });
const thing = (id: string) =>
  recorded('WebhookAdded', { ...ofEndpoint(id), url: 'https://hook.example/', events: [], addedAt: AT });
const filler = () => recorded('WebhookEnabled', { ...ofEndpoint('a'), enabledAt: AT });

/** A store whose reads are counted by their events. */
function given(through: (store: EventStore) => EventStore = (store) => store) {
  const store = memoryEventStore();
  const source = through(store);
  const seen = { events: 0 };
  const counting: Pick<EventStore, 'read'> = {
    read: async (stream, options) => {
      const read = await source.read(stream, options);
      if (read.status === 'found') seen.events += read.events.length;
      return read;
    },
  };
  const names = async () =>
    [
      ...(await namesIn(counting, STREAM, (event) =>
        isOf(event, 'WebhookAdded') ? [event.data.endpointId, 'named'] : null,
      )),
    ].map(([id]) => id);
  return { store, seen, names };
}

describe('names from a stream', () => {
  it('are read once, and later only from what was appended', async () => {
    const { store, seen, names } = given();
    await store.append(STREAM, [thing('a'), ...Array.from({ length: 2_999 }, filler)], { expected: 'any' });
    expect(await names()).toEqual(['a']);
    expect(seen.events).toBe(3_000);
    expect(await names()).toEqual(['a']);
    expect(seen.events).toBe(3_000);
    await store.append(STREAM, [thing('b')], { expected: 'any' });
    expect(await Promise.all([names(), names()])).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(seen.events).toBe(3_001);
  });

  it('are forgotten with their stream', async () => {
    const { store, names } = given();
    expect(await names()).toEqual([]);
    await store.append(STREAM, [thing('a')], { expected: 'any' });
    expect(await names()).toEqual(['a']);
    await store.delete(STREAM);
    expect(await names()).toEqual([]);
  });

  it('of a long stream let others in', async () => {
    const { store, names } = given(slowly);
    await store.append(STREAM, Array.from({ length: 5_000 }, filler), { expected: 'any' });
    expect(await roundsDuring(names)).toBeGreaterThanOrEqual(9);
  });
});
