/**
 * What an append and reads take on a long history, beside the same on a short one in the same run: they must not grow.
 */
import { type EventStore, START } from '../../src/eventStore/eventStore.ts';
import type { ReadModels } from '../../src/readModels/readModels.ts';
import { fill, progressed } from '../events.ts';
import { compare, milliseconds, type Row, timed } from '../measure.ts';
import { appendAll } from './pairLog.ts';
import { at, DOCUMENTS, document, OF_A_USER } from './pairReadModels.ts';

export const SHORT = 1_000;
const APPENDS = 100;
const READS = 50;
const PAGE = 200;
/** Twice would be growth; less is noise of a shared machine. */
const AT_MOST = 1.5;

type Growing = { readonly pair: string; readonly rounds: number; readonly size: number };
type Grown = { readonly store: EventStore; readonly readModels: ReadModels };

/** One document of each job. */
const EVENTS_OF_A_JOB = 31;

/** Fills both with what `events` events make. */
export async function grow({ store, readModels }: Grown, events: number): Promise<void> {
  await fill(store, events);
  await readModels.prepare({ name: 'grown', ...DOCUMENTS }, 'v1');
  const documents = Math.ceil(events / EVENTS_OF_A_JOB);
  for (let from = 0; from < documents; from += 1_000) {
    const writes = Array.from({ length: Math.min(1_000, documents - from) }, (_, n) => document(from + n, from + 1));
    await readModels.commit([{ model: 'grown', build: 'v1', checkpoint: at(from + 1), writes }]);
  }
  await readModels.serve('grown', 'v1');
}

export async function growthRows({ pair, rounds, size }: Growing, long: Grown, short: Grown): Promise<readonly Row[]> {
  const row = async (what: string, count: number, work: (grown: Grown) => Promise<void>): Promise<Row> => {
    const each = (grown: Grown) => async () => (await timed(() => work(grown))) / count;
    const { ours, limit, ratio } = await compare(rounds, each(long), each(short));
    return {
      what: `${pair}: ${what} at ${size.toLocaleString('en-US')} events vs at ${SHORT.toLocaleString('en-US')}`,
      ours: milliseconds(ours),
      limit: milliseconds(limit),
      ratio,
      goal: `≤ ${AT_MOST}`,
      met: ratio <= AT_MOST,
    };
  };
  const streams = new Map([
    [long, await someStreams(long.store)] as const,
    [short, await someStreams(short.store)] as const,
  ]);
  const middle = new Map([
    [long, await middleOf(long.store, size)] as const,
    [short, await middleOf(short.store, SHORT)] as const,
  ]);
  let position = 1_000_000_000;
  return [
    await row('append', APPENDS, ({ store }) =>
      appendAll(
        store,
        Array.from({ length: APPENDS }, (_, n) => progressed('growth', n)),
      ),
    ),
    await row('read a stream', READS, async (grown) => {
      const names = streams.get(grown) ?? [];
      for (let n = 0; n < READS; n += 1) await grown.store.read(names[n % names.length] ?? '');
    }),
    await row(`read ${PAGE} events from the middle`, 10, async (grown) => {
      for (let n = 0; n < 10; n += 1) await grown.store.readAll({ after: middle.get(grown) ?? START, limit: PAGE });
    }),
    await row('commit one document', READS, async ({ readModels }) => {
      for (let n = 0; n < READS; n += 1) {
        position += 1;
        await readModels.commit([
          { model: 'grown', build: 'v1', checkpoint: at(position), writes: [document(n % 30, position)] },
        ]);
      }
    }),
    await row('get a document', READS, async ({ readModels }) => {
      for (let n = 0; n < READS; n += 1) await readModels.get('grown', `document-${n % 30}`, 'v1');
    }),
    await row(`list ${OF_A_USER} documents by an index`, 10, async ({ readModels }) => {
      for (let n = 0; n < 10; n += 1) {
        const { documents } = await readModels.find('grown', {
          where: { userId: 'user-0' },
          sort: [['createdAt', 'desc']],
          limit: OF_A_USER,
        });
        if (documents.length !== OF_A_USER) throw new Error('The list is not complete.');
      }
    }),
  ];
}

async function someStreams(store: EventStore): Promise<readonly string[]> {
  const { events } = await store.readAll({ after: START, limit: 900 });
  return [...new Set(events.map((event) => event.stream))];
}

async function middleOf(store: EventStore, size: number): Promise<string> {
  let after = START;
  for (let left = Math.floor(size / 2); left > 0; ) {
    const page = await store.readAll({ after, limit: Math.min(1_000, left) });
    left -= page.events.length;
    after = page.next;
    if (page.end) break;
  }
  return after;
}
