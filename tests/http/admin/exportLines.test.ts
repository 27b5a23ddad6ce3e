/** How much of the log an export of events holds, whatever its events are like. */
import { describe, expect, it } from 'vitest';
import type { EventStore, NewEvent } from '../../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import { exportLines } from '../../../src/http/eventExports/exportLines.ts';
import { EVENT_EXPORT_LIMITS } from '../../../src/http/request/eventExportLimits.ts';
import { createPseudonyms } from '../../../src/reports/events/pseudonyms.ts';
import { memoryEventStore } from '../../given/stores/eventStore.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { startEventStoreDbServer } from '../../servers/eventStoreDb.ts';

const AT = '2026-03-10T12:00:00.000Z';
const SMALL = 600;
const LARGE = 60;

const eventOf = (characters: number): NewEvent => ({
  id: crypto.randomUUID(),
  type: 'ReportPartWritten',
  // Its line has no text.
  data: {
    jobId: 'job',
    userId: 'ann',
    file: 'report.md',
    part: 0,
    parts: 1,
    text: 'x'.repeat(characters),
    writtenAt: AT,
  },
  metadata: metadataAt(AT),
});

/** Small events, and then large ones, which nothing announces. */
async function fill(store: EventStore): Promise<void> {
  await store.append(
    'report-small',
    Array.from({ length: SMALL }, () => eventOf(10)),
    { expected: 'no_stream' },
  );
  for (let nth = 0; nth < LARGE; nth += 1)
    await store.append(`report-large-${nth}`, [eventOf(240_000)], { expected: 'no_stream' });
}

/** How many events each read of an export of all returned, and its lines. */
async function exportOf(store: EventStore): Promise<{ readonly reads: readonly number[]; readonly lines: number }> {
  const reads: number[] = [];
  const watched: Pick<EventStore, 'readAll'> = {
    readAll: async (options) => {
      const page = await store.readAll(options);
      reads.push(page.events.length);
      return page;
    },
  };
  const asked = { made: { exportId: 'export', upTo: await store.head() }, after: '0'.repeat(20) };
  const sources = {
    store: watched,
    pseudonyms: createPseudonyms('a secret of the tests for pseudonyms'),
    limits: EVENT_EXPORT_LIMITS,
    now: () => AT,
    signal: new AbortController().signal,
    mayGoOn: async () => undefined,
  };
  let lines = 0;
  for await (const text of exportLines(asked as never, sources)) lines += text.split('\n').length - 1;
  return { reads, lines };
}

describe('an export of events', () => {
  it('holds few large events at once, also where small ones came before', async () => {
    const store = memoryEventStore();
    await fill(store);
    const { reads, lines } = await exportOf(store);
    expect(lines).toBe(SMALL + LARGE + 1);
    expect(reads[0]).toBe(500);
    expect(Math.max(...reads.slice(2))).toBeLessThanOrEqual(16);
    await store.close();
  });

  it('does so on EventStoreDB, too', async () => {
    const server = await startEventStoreDbServer();
    const store = await openEventStoreDb({ url: server.url });
    await fill(store);
    const { reads, lines } = await exportOf(store);
    expect(lines).toBe(SMALL + LARGE + 1);
    expect(Math.max(...reads.slice(2))).toBeLessThanOrEqual(5);
    await store.close();
    await server.close();
  });

  it('reads nothing of an empty log', async () => {
    const store = memoryEventStore();
    expect((await exportOf(store)).lines).toBe(1);
    await store.close();
  });
});
