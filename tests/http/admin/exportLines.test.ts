/** How much of the log an export of events holds, whatever its events are like. */
import { describe, expect, it } from 'vitest';
import type { EventStore, RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import { exportLines } from '../../../src/http/eventExports/exportLines.ts';
import { EVENT_EXPORT_LIMITS } from '../../../src/http/request/eventExportLimits.ts';
import { createPseudonyms } from '../../../src/reports/events/pseudonyms.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

const AT = '2026-03-10T12:00:00.000Z';
const padded = (position: number): string => String(position).padStart(20, '0');
const eventOf = (position: number, characters: number): RecordedEvent => ({
  id: `event-${position}`,
  type: 'ReportPartWritten',
  stream: 'report-job',
  revision: BigInt(position),
  position: padded(position),
  // Its line has no text.
  data: { jobId: 'job', file: 'report.md', text: 'x'.repeat(characters) },
  metadata: metadataAt(AT),
});

/** What each read of an export of `sizes` returned, in events. */
async function readsOf(
  sizes: readonly number[],
): Promise<{ readonly reads: readonly number[]; readonly lines: number }> {
  const reads: number[] = [];
  const store: Pick<EventStore, 'readAll'> = {
    readAll: async ({ after = padded(0), limit = 0 } = {}) => {
      const from = Number(after);
      const events = sizes.slice(from, from + limit).map((characters, nth) => eventOf(from + nth + 1, characters));
      reads.push(events.length);
      return { events, next: padded(from + events.length), end: from + events.length >= sizes.length };
    },
  };
  const made = { exportId: 'export', upTo: padded(sizes.length) };
  const sources = {
    store,
    pseudonyms: createPseudonyms('a secret of the tests for pseudonyms'),
    limits: EVENT_EXPORT_LIMITS,
    now: () => AT,
    signal: new AbortController().signal,
    mayGoOn: async () => undefined,
  };
  let lines = 0;
  for await (const text of exportLines({ made, after: padded(0) } as never, sources))
    lines += text.split('\n').length - 1;
  return { reads, lines };
}

describe('an export of events', () => {
  it('reads few events at first, and then as many as take about a megabyte', async () => {
    const { reads, lines } = await readsOf(Array.from({ length: 2_000 }, () => 10));
    expect(reads.slice(0, 5)).toEqual([8, 32, 128, 500, 500]);
    expect(lines).toBe(2_001);
  });

  it('reads four at once that take a quarter of it, and one that takes more', async () => {
    expect((await readsOf(Array.from({ length: 20 }, () => 240_000))).reads).toEqual([8, 4, 4, 4]);
    expect((await readsOf(Array.from({ length: 11 }, () => 2_000_000))).reads).toEqual([8, 1, 1, 1]);
  });

  it('reads more again once they are smaller', async () => {
    const sizes = [...Array.from({ length: 8 }, () => 240_000), ...Array.from({ length: 900 }, () => 10)];
    expect((await readsOf(sizes)).reads).toEqual([8, 4, 16, 64, 256, 500, 60]);
  });

  it('reads nothing of an empty log', async () => {
    expect(await readsOf([])).toEqual({ reads: [], lines: 1 });
  });
});
