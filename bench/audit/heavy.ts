/** What audits of a site that was built to fill the memory take of it, and how long they hold the event loop. */
import { join } from 'node:path';
import { startChild } from '../child.ts';
import { type Figure, milliseconds, type Row } from '../measure.ts';
import type { HeavyMeasured, HeavyOrder } from './heavyChild.ts';
import type { HeavySiteOrder } from './heavySiteChild.ts';

const HEAP_MB = 512;
const MAX_PAGES = 50;
const AUDITS = 4;
const PAGE_MB = [1, 3.4, 5];
const MOST_RSS = 1024 * 1024 * 1024;
const MOST_HELD_MS = 500;

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

async function rowsOf(pageMb: number, dir: string): Promise<readonly Row[]> {
  const site = startChild('audit/heavySiteChild');
  const { port } = await site.ask<{ port: number }>({ pages: 60, bytes: pageMb * 1e6 } satisfies HeavySiteOrder);
  const child = startChild('audit/heavyChild', [`--max-old-space-size=${HEAP_MB}`]);
  try {
    const order: HeavyOrder = { file: join(dir, `heavy-${pageMb}.db`), port, audits: AUDITS, maxPages: MAX_PAGES };
    const { rssBytes, heldMs } = await child.ask<HeavyMeasured>(order);
    const what = `${AUDITS} audits at once of pages of ${pageMb} MB built to fill memory, heap of ${HEAP_MB} MB`;
    return [
      {
        what: `${what}: memory of the process`,
        ours: megabytes(rssBytes),
        limit: '–',
        ratio: null,
        goal: '≤ 1 GB',
        met: rssBytes <= MOST_RSS,
      },
      {
        what: 'the same: event loop held at most',
        ours: milliseconds(heldMs),
        limit: '–',
        ratio: null,
        goal: `≤ ${MOST_HELD_MS} ms`,
        met: heldMs <= MOST_HELD_MS,
      },
    ];
  } finally {
    await child.stop();
    await site.stop();
  }
}

export const heavy: Figure = {
  name: 'heavy',
  measure: async ({ dir }) => {
    const rows: Row[] = [];
    for (const pageMb of PAGE_MB) rows.push(...(await rowsOf(pageMb, dir)));
    return rows;
  },
};
