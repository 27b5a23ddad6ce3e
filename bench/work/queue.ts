/**
 * What thousands of waiting audits of one user cost the others, the disk, and their own commands, beside an
 * installation where few or none wait.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from '../child.ts';
import { type Bench, compare, type Figure, kilobytes, median, milliseconds, type Row } from '../measure.ts';
import type { Site } from './backlog.ts';
import type { CommandTimes, QueueOrder, Written } from './queueChild.ts';

const WAITING = [2_000, 10_000];
const FEW = 10;
/** Of others' audits that begin while the user's wait. */
const FIRSTS = 10;
const COMMANDS = 10;
const WRITTEN_MS = 10_000;

export type SlowSite = Site & { readonly allowHosts: string; stop(): Promise<void> };

/** Audits of it run on and on, and write their progress once a second. */
export async function startSlowSite(): Promise<SlowSite> {
  const child = startChild('audit/siteServer');
  const { port } = await child.ask<{ port: number }>({ pages: 5_000, bytes: 2_000, delayMs: 400 });
  const host = `127.0.0.1:${port}`;
  return { url: `http://${host}/`, host, allowHosts: host, stop: child.stop };
}

export type Asked = Child & { order<T>(order: QueueOrder): Promise<T> };

/** `waiting` null: nothing waits and nothing runs. */
export async function startQueue(
  dir: string,
  site: SlowSite,
  waiting: number | null,
  servers?: { readonly eventStoreUrl: string; readonly mongoUrl: string },
): Promise<Asked> {
  mkdirSync(dir, { recursive: true });
  const child = startChild('work/queueChild');
  const order = <T>(asked: QueueOrder): Promise<T> => child.ask<T>(asked);
  const { url, host, allowHosts } = site;
  await order({ ask: 'start', start: { dir, servers, allowHosts, site: { url, host }, waiting } });
  return { ...child, order };
}

async function stop(queue: Asked): Promise<void> {
  await queue.order({ ask: 'stop' });
  await queue.stop();
}

/** At the same time on both: what else the machine does befalls both. */
async function writtenRows(count: string, many: Asked, none: Asked, rounds: number): Promise<readonly Row[]> {
  const pairs: { readonly many: Written; readonly none: Written }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [some, others] = await Promise.all(
      [many, none].map((queue) => queue.order<Written>({ ask: 'written', ms: WRITTEN_MS })),
    );
    if (some && others) pairs.push({ many: some, none: others });
  }
  const row = (what: string, of: keyof Written): Row => {
    const aSecond = (side: 'many' | 'none'): number =>
      median(pairs.map((pair) => (pair[side][of] / WRITTEN_MS) * 1_000));
    const [ours, limit] = [aSecond('many'), aSecond('none')];
    // Audits that only crawl may write nothing at all.
    const ratio = limit === 0 ? null : median(pairs.map(({ many, none }) => many[of] / none[of]));
    return {
      what,
      ours: `${kilobytes(ours)}/s`,
      limit: `${kilobytes(limit)}/s`,
      ratio,
      goal: '≤ 1.1',
      met: ratio === null ? ours === 0 : ratio <= 1.1,
    };
  };
  return [
    row(`bytes to the disk a second while two audits run and ${count} wait vs while none do`, 'stored'),
    row('the same: bytes in all write calls', 'handed'),
  ];
}

const span = (times: readonly number[]): string =>
  `${milliseconds(median(times))} / ${milliseconds(Math.max(...times))}`;

async function firstRow(count: string, many: Asked, few: Asked, rounds: number): Promise<Row> {
  const [behind, alone] = [[] as number[], [] as number[]];
  const firsts = async (queue: Asked, all: number[]): Promise<number> => {
    const times = await queue.order<readonly number[]>({ ask: 'first', times: FIRSTS });
    all.push(...times);
    return median(times);
  };
  const { ratio } = await compare(
    rounds,
    () => firsts(many, behind),
    () => firsts(few, alone),
  );
  const met = Math.max(...behind) <= 1_000;
  return {
    what: `another user’s audit begins while ${count} wait vs while ${FEW} do: p50 / max`,
    ours: span(behind),
    limit: span(alone),
    ratio,
    goal: 'max ≤ 1,000 ms',
    met,
  };
}

async function commandRows(count: string, many: Asked, few: Asked, rounds: number): Promise<readonly Row[]> {
  const taken: { readonly many: CommandTimes; readonly few: CommandTimes }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const ask = (queue: Asked) => queue.order<CommandTimes>({ ask: 'commands', times: COMMANDS });
    const pair =
      round % 2 === 0 ? { many: await ask(many), few: await ask(few) } : { few: await ask(few), many: await ask(many) };
    if (round > 0) taken.push(pair);
  }
  const row = (what: string, of: keyof CommandTimes): Row => {
    const ratio = median(taken.map((pair) => median(pair.many[of]) / median(pair.few[of])));
    const cost = (side: 'many' | 'few'): string => milliseconds(median(taken.map((pair) => median(pair[side][of]))));
    return { what, ours: cost('many'), limit: cost('few'), ratio, goal: '≤ 1.5', met: ratio <= 1.5 };
  };
  return [
    row(`submission until it is answered, with ${count} of the user’s waiting vs ${FEW}`, 'submit'),
    row('the same: a waiting job is cancelled', 'cancel'),
    row('the same: a waiting job ends and its analysis is given back', 'end'),
  ];
}

async function nextRow(count: string, many: Asked, few: Asked, rounds: number): Promise<Row> {
  const ask = (queue: Asked) => async (): Promise<number> =>
    median(await queue.order<readonly number[]>({ ask: 'next', times: 3 }));
  const compared = await compare(rounds, ask(many), ask(few));
  return {
    what: `a running audit is cancelled until the user’s next begins, with ${count} waiting vs ${FEW}`,
    ours: milliseconds(compared.ours),
    limit: milliseconds(compared.limit),
    ratio: compared.ratio,
    goal: '≤ 1.5',
    met: compared.ratio <= 1.5,
  };
}

async function measureQueue({ rounds, dir, say }: Bench, site: SlowSite, waiting: number): Promise<readonly Row[]> {
  const count = waiting.toLocaleString('en-US');
  say(`${count} waiting audits`);
  const [many, few] = await Promise.all([
    startQueue(join(dir, `many-${waiting}`), site, waiting),
    startQueue(join(dir, `few-${waiting}`), site, 0),
  ]);
  say('bytes that are written');
  const rows = [...(await writtenRows(count, many, few, Math.max(rounds, 5)))];
  await few.order({ ask: 'wait', times: FEW });
  say('another user');
  rows.push(await firstRow(count, many, few, rounds));
  say('commands');
  rows.push(...(await commandRows(count, many, few, rounds)));
  rows.push(await nextRow(count, many, few, rounds));
  await Promise.all([stop(many), stop(few)]);
  return rows;
}

export const queue: Figure = {
  name: 'queue',
  async measure(bench) {
    const site = await startSlowSite();
    try {
      const rows: Row[] = [];
      for (const waiting of WAITING) rows.push(...(await measureQueue(bench, site, waiting)));
      return rows;
    } finally {
      await site.stop();
    }
  },
};
