/** Every event names the one before it in its stream, for any writers, retries and revisions. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashOf, hashOfText } from '../../../src/eventStore/chain/eventHash.ts';
import { withChain } from '../../../src/eventStore/chain/withChain.ts';
import type { EventStore, NewEvent, RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { SerialisedEvent } from '../../../src/eventStore/newEvents.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { logFolder } from '../../given/stores/logFiles.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { startEventStoreDbServer } from '../../servers/eventStoreDb.ts';

const event = (text = 'x', at = '2026-03-01T00:00:00.000Z'): NewEvent => ({
  id: randomUUID(),
  type: 'Written',
  data: { text, 2: 'b', 1: 'é\ud800' },
  metadata: metadataAt(at),
});

async function streamOf(store: EventStore, stream = 'thing-1'): Promise<readonly RecordedEvent[]> {
  const read = await store.read(stream);
  return read.status === 'found' ? read.events : [];
}

/** Each event names the hash of the previous one as it is read. */
async function expectChain(store: EventStore, count: number, stream = 'thing-1'): Promise<void> {
  const events = await streamOf(store, stream);
  expect(events).toHaveLength(count);
  expect(events.map(({ metadata }) => metadata.previousHash)).toEqual([undefined, ...events.slice(0, -1).map(hashOf)]);
}

const alone = (raw: EventStore) => withChain(raw, { closes: () => [] });
/** The store without its own way to link events. */
const plain = ({ chains: _, ...raw }: EventStore): EventStore => raw;
const oneOfMany = (raw: EventStore) => withChain(plain(raw), { closes: () => [] });

describe.each([
  ['who writes alone', alone],
  ['one of many writers', oneOfMany],
])('the chain of %s', (_name, chain) => {
  it('holds over appends of one and of many, at exact revisions and at any', async () => {
    const raw = rawEventStore();
    const store = chain(raw);
    await store.append('thing-1', [event(), event(), event()], { expected: 'no_stream' });
    await store.append('thing-1', [event()], { expected: 2n });
    await store.append('thing-1', [event(), event()], { expected: 'any' });
    await store.append('thing-1', [event()], { expected: 'any' });
    await store.append('thing-1', [event()], { expected: 6n });
    await expectChain(raw, 8);
  });

  it('holds for concurrent appends, and when one of them is refused', async () => {
    const raw = rawEventStore();
    const store = chain(raw);
    const appends = [
      store.append('thing-1', [event()], { expected: 'no_stream' }),
      store.append('thing-1', [event(), event()], { expected: 0n }),
      store.append('thing-1', [event()], { expected: 0n }),
      store.append('thing-1', [event()], { expected: 2n }),
      ...Array.from({ length: 20 }, () => store.append('thing-1', [event()], { expected: 'any' })),
    ];
    const outcomes = await Promise.allSettled(appends);
    expect(
      outcomes.map(({ status }, index) => (status === 'rejected' ? index : -1)).filter((index) => index >= 0),
    ).toEqual([2]);
    await expectChain(raw, 24);
  });

  it('holds over a repeat with another time: the next event names what the first attempt wrote', async () => {
    const raw = rawEventStore();
    const store = chain(raw);
    await store.append('thing-1', [event()], { expected: 'no_stream' });
    const written = event();
    const first = await store.append('thing-1', [written], { expected: 0n });
    const later = { ...written, metadata: metadataAt('2026-03-02T00:00:00.000Z') };
    expect(await store.append('thing-1', [later], { expected: 0n })).toEqual(first);
    expect(await store.append('thing-1', [later], { expected: 'any' })).toEqual(first);
    // Also in a process that knows nothing of the first attempt.
    expect(await chain(raw).append('thing-1', [later], { expected: 0n })).toEqual(first);
    await store.append('thing-1', [event()], { expected: 1n });
    await expectChain(raw, 3);
  });

  it('continues a stream that was written without one, and one truncated to its last event', async () => {
    const raw = rawEventStore();
    await raw.append('thing-1', [event(), event()], { expected: 'no_stream' });
    const store = chain(raw);
    await store.append('thing-1', [event()], { expected: 1n });
    const [, second, third] = await streamOf(raw);
    expect(third?.metadata.previousHash).toBe(second && hashOf(second));
    await store.truncate('thing-1', 2n);
    await chain(raw).append('thing-1', [event()], { expected: 'any' });
    const [left, last] = await streamOf(raw);
    expect([left?.id, last?.metadata.previousHash]).toEqual([third?.id, left && hashOf(left)]);
  });

  it('records in a closing fact what it closes', async () => {
    const raw = rawEventStore();
    const closing = withChain(chain === alone ? raw : plain(raw), {
      closes: ({ type }) => (type === 'Closed' ? ['thing-1', 'thing-9'] : []),
    });
    await closing.append('thing-1', [event(), event()], { expected: 'no_stream' });
    const [, last] = await streamOf(raw);
    await closing.append('fact-1', [{ ...event(), type: 'Closed' }], { expected: 'no_stream' });
    expect((await streamOf(raw, 'fact-1'))[0]?.metadata.erased).toEqual({ 'thing-1': last && hashOf(last) });
  });
});

describe('a single writer', () => {
  it('knows the end of a stream that it has just begun, and reads nothing back', async () => {
    const raw = rawEventStore();
    let reads = 0;
    const read: EventStore['read'] = (...asked) => {
      reads += 1;
      return raw.read(...asked);
    };
    const store = alone({ ...raw, read });
    await store.append('thing-1', [event()], { expected: 'no_stream' });
    await store.append('thing-1', [event(), event()], { expected: 0n });
    await store.append('thing-1', [event()], { expected: 'any' });
    expect(reads).toBe(0);
    await expectChain(raw, 4);
  });

  it('recognizes a repeated beginning, in the process that wrote it and in the next', async () => {
    for (const isSame of [true, false]) {
      const raw = rawEventStore();
      const store = alone(raw);
      const written = event();
      const first = await store.append('thing-1', [written], { expected: 'no_stream' });
      await store.append('thing-2', [event()], { expected: 'no_stream' });
      const next = isSame ? store : alone(raw);
      const later = { ...written, metadata: metadataAt('2026-03-02T00:00:00.000Z') };
      expect(await next.append('thing-1', [later], { expected: 'no_stream' })).toEqual(first);
      await next.append('thing-1', [event()], { expected: 0n });
      await expectChain(raw, 2);
    }
  });

  it('records in a closing fact what was requested just before it', async () => {
    const raw = rawEventStore();
    const closing = withChain(raw, { closes: ({ type }) => (type === 'Closed' ? ['thing-1'] : []) });
    await Promise.all([
      closing.append('thing-1', [event(), event()], { expected: 'no_stream' }),
      closing.append('fact-1', [{ ...event(), type: 'Closed' }], { expected: 'no_stream' }),
    ]);
    const last = (await streamOf(raw)).at(-1);
    expect((await streamOf(raw, 'fact-1'))[0]?.metadata.erased).toEqual({ 'thing-1': last && hashOf(last) });
    await expectChain(raw, 2);
  });

  it('refuses to follow an event that is damaged, and writes what others asked for at the same time', async () => {
    const folder = logFolder();
    try {
      const { raw } = folder.open('events.db');
      await raw.append('thing-1', [event()], { expected: 'no_stream' });
      await raw.close();
      const store = alone(
        folder.open(folder.damaged('events.db', (db) => db.exec("UPDATE events SET data = '{'"))).raw,
      );
      const outcomes = await Promise.allSettled([
        store.append('thing-2', [event()], { expected: 'no_stream' }),
        store.append('thing-1', [event()], { expected: 'any' }),
        store.append('thing-3', [event()], { expected: 'no_stream' }),
      ]);
      expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.message : 'written'))).toEqual([
        'written',
        'The last event of thing-1 is damaged: it is not a JSON object.',
        'written',
      ]);
      await store.close();
    } finally {
      folder.remove();
    }
  });

  it('refuses what cannot be stored, like the store', async () => {
    const raw = rawEventStore();
    for (const wrong of [
      { ...event(), id: 'x' },
      { ...event(), data: { big: 'x'.repeat(2 ** 21) } },
    ]) {
      const [ours, stores] = await Promise.allSettled(
        [alone(raw), raw].map((store) => store.append('thing-1', [wrong], { expected: 'no_stream' })),
      );
      expect(ours).toEqual(stores);
    }
    await alone(raw).append('thing-1', [event()], { expected: 'no_stream' });
  });
});

it('the hash of the stored text is that of the event', () => {
  const odd = {
    z: -0,
    2: 'b',
    1: 'é\ud800',
    nested: { undefined, at: new Date(0), list: [undefined, Number.NaN, 1e21, '<\u2028>'] },
  };
  for (const data of [odd, {}, { text: '"\\\n' }]) {
    const written = { ...event(), id: randomUUID().toUpperCase(), data };
    const text = new SerialisedEvent(
      written.id,
      written.type,
      JSON.stringify(written.data),
      JSON.stringify(written.metadata),
    );
    expect(hashOfText(text, 'thing-"1"')).toBe(hashOf({ ...written, stream: 'thing-"1"' }));
  }
});

it('replaces a hash that an event brings along', async () => {
  const raw = rawEventStore();
  const store = alone(raw);
  const copied = () => ({
    ...event(),
    metadata: { ...metadataAt('2026-03-01T00:00:00.000Z'), previousHash: 'of another stream' },
  });
  await store.append('thing-1', [event(), copied(), event()], { expected: 'no_stream' });
  await store.append('thing-1', [copied()], { expected: 2n });
  await expectChain(raw, 4);
});

it('passes stores events that read like any other', async () => {
  const raw = rawEventStore();
  const passed: NewEvent[] = [];
  const store = oneOfMany({
    ...raw,
    append(stream, events, options) {
      passed.push(...events);
      return raw.append(stream, events, options);
    },
  });
  await store.append('thing-1', [event('a'), event('b')], { expected: 'no_stream' });
  const shown = (events: readonly NewEvent[]) =>
    events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
  expect(shown(passed)).toEqual(shown(await streamOf(raw)));
});

it('holds over many writers of one stream, each with its own memory', async () => {
  const raw = rawEventStore();
  const writers = Array.from({ length: 5 }, () => oneOfMany(raw));
  await Promise.all(
    writers.flatMap((store) =>
      Array.from({ length: 10 }, () => store.append('thing-1', [event()], { expected: 'any' })),
    ),
  );
  await expectChain(raw, 50);
});

it('does not write an event that names no predecessor when another writer gets ahead while that is looked up', async () => {
  const raw = rawEventStore();
  const [first, second] = [oneOfMany(raw), oneOfMany(raw)];
  const outcomes = await Promise.allSettled([
    first.append('thing-1', [event()], { expected: 'no_stream' }),
    second.append('thing-1', [event()], { expected: 0n }),
  ]);
  expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'written'))).toEqual([
    'written',
    'REVISION_CONFLICT',
  ]);
  await second.append('thing-1', [event()], { expected: 0n });
  await expectChain(raw, 2);
});

it('holds on an EventStoreDB, which keeps the exact bytes', async () => {
  const server = await startEventStoreDbServer();
  const stores = await Promise.all([0, 1].map(() => openEventStoreDb({ url: server.url })));
  try {
    const [first, second] = stores.map(oneOfMany);
    await first?.append('thing-1', [event(), event('<\u2028>')], { expected: 'no_stream' });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? first : second)?.append('thing-1', [event(String(index))], { expected: 'any' }),
      ),
    );
    await second?.append('thing-1', [event()], { expected: 21n });
    await expectChain(stores[0] as EventStore, 23);
  } finally {
    for (const store of stores) await store.close();
    await server.close();
  }
});
