/** Sites judged in processes of their own, by the real checks, and by processes that go wrong. */
import { afterEach, expect, test } from 'vitest';
import { assess } from '../../../src/audit/assessment.ts';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import type { Crawl } from '../../../src/audit/crawl/site.ts';
import type { FindingsDocument } from '../../../src/audit/report/findingsFormat.ts';
import { findingsDocument } from '../../../src/audit/report/findingsJson.ts';
import { rejudge } from '../../../src/audit/verify.ts';
import { evaluate } from '../../../src/workers/evaluation.ts';
import {
  createJudgePool,
  type JudgePool,
  type JudgePoolOptions,
  SiteTooCostly,
} from '../../../src/workers/judging/judgePool.ts';
import { givenSite, SITE } from '../../given/audit/page.ts';

const opened: JudgePool[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((judges) => judges.close()));
});

function judgePool(options: Partial<JudgePoolOptions> = {}): JudgePool {
  const judges = createJudgePool({ processes: 1, memoryMb: 256, ...options });
  opened.push(judges);
  return judges;
}

/** A process with these as the last lines of its program. */
function odd(code: string): URL {
  const program = `process.on('message', (piece) => {
      if (piece !== 'end') return process.send('read');
      ${code}
    });`;
  return new URL(`data:text/javascript,${encodeURIComponent(program)}`);
}

const now = (): number => 0;
const menu = Array.from(
  { length: 400 },
  (_, at) => `<a href="/goods/${at}?b=1&amp;a=2">Gut ${at} – ça va 日本</a>`,
).join('');
const shop = givenSite({
  pages: Array.from({ length: 40 }, (_, at) => ({
    url: at === 0 ? '/' : `/goods/${at}`,
    html: `<!doctype html><html lang="en"><title>Goods ${at % 7}</title>${menu}<h1>Goods</h1><img src="/a.png"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","__proto__":{"a":1},"name":"Goods ${at}"}</script><p>Words "in quotes", \\ and \u2028.`,
  })),
});
const tiny = givenSite('<!doctype html><title>Tea</title><p>Tea');

test('finds what is found without a process of its own, to the letter', async () => {
  const [there, here] = [await judgePool().assess(shop, { now }), await assess(shop, { now })];
  expect(here.findings.length).toBeGreaterThan(100);
  expect(there).toEqual(here);
});

async function documentOf(crawl: Crawl): Promise<FindingsDocument> {
  return findingsDocument({
    url: `${SITE}/`,
    host: new URL(SITE).host,
    generatedAt: '2026-03-01T12:00:00.000Z',
    checks: CHECKS,
    crawl,
    ...(await assess(crawl, { now })),
  });
}

test('verifies findings as without one', async () => {
  const document = await documentOf(shop);
  const [here, there] = [
    await rejudge({ document, only: [] }, tiny, { now }),
    await judgePool().rejudge({ document, only: [] }, tiny, { now }),
  ];
  expect(here.length).toBe(document.findings.length);
  expect(there).toEqual(here);
});

test('more sites than processes are judged one after another', async () => {
  const judges = judgePool();
  const all = await Promise.all([shop, tiny, shop].map((crawl) => judges.assess(crawl, { now })));
  expect(all.map(({ score }) => score?.pages)).toEqual([40, 1, 40]);
});

test('a process that does not end is ended, and the next site is judged', async () => {
  const judges = judgePool({ graceMs: 200, entry: odd('for (;;);') });
  const both = await Promise.allSettled([judges.assess(tiny, { now, ms: 0 }), judges.assess(tiny, { now, ms: 0 })]);
  for (const one of both) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(SiteTooCostly) });
});

test('of one owner, a process is left for the sites of others', async () => {
  const judges = judgePool({ processes: 2, graceMs: 300, entry: odd('for (;;);') });
  const ended: string[] = [];
  const end = (name: string, owner: string) => judges.assess(tiny, { now, ms: 0, owner }).catch(() => ended.push(name));
  await Promise.all([end('ann 1', 'ann'), end('ann 2', 'ann'), end('bob', 'bob')]);
  expect(ended.at(-1)).toBe('ann 2');
});

test('of all owners of sites that took long, a process is left for the sites of others', async () => {
  let time = 0;
  const judges = judgePool({ processes: 2, graceMs: 300, entry: odd('for (;;);'), now: () => (time += 15_000) });
  const order = async (...owners: string[]): Promise<string[]> => {
    const ended: string[] = [];
    const end = (owner: string) => judges.assess(tiny, { now, ms: 0, owner }).catch(() => ended.push(owner));
    await Promise.all(owners.map(end));
    return ended;
  };
  expect((await order('ann', 'bob', 'cat')).at(-1)).toBe('cat');
  expect((await order('ann', 'bob', 'dan')).at(-1)).toBe('bob');
  // Not for ever.
  time += 60 * 60 * 1000;
  expect((await order('ann', 'bob', 'eve')).at(-1)).toBe('eve');
});

test('a process that needs too much memory ends alone', async () => {
  const greedy = judgePool({
    memoryMb: 16,
    entry: odd('const all = new Map(); for (let key = 0; ; key += 1) all.set(key, key);'),
  });
  await expect(greedy.assess(tiny, { now })).rejects.toThrow(SiteTooCostly);
});

test('the job of a site that takes too much says so, and is not tried again', async () => {
  const { assess } = judgePool({ graceMs: 50, entry: odd('for (;;);') });
  await expect(evaluate(givenSite('<p>A'), { now, ms: 0, assess })).rejects.toMatchObject({
    name: 'JobStopped',
    code: 'SITE_TOO_COSTLY',
  });
});

test.each([
  ['throws', 'throw new Error("a fault of the program");', 'ended with 1'],
  [
    'says what is wrong',
    `process.send(JSON.stringify({ failed: 'a fault of the program' })); process.send('end');`,
    'a fault of the program',
  ],
  ['leaves', 'process.exit(3);', 'ended with 3'],
])('a process that %s is an error that is tried again', async (_, code, message) => {
  const failed = judgePool({ entry: odd(code) }).assess(tiny, { now });
  await expect(failed).rejects.toThrow(message);
  await expect(failed).rejects.not.toBeInstanceOf(SiteTooCostly);
});

test('an audit that is stopped ends its process, or does not start one', async () => {
  const judges = judgePool({ entry: odd('for (;;);') });
  const stop = new AbortController();
  const [running, waiting] = [1, 2].map(() => judges.assess(tiny, { now, signal: stop.signal }));
  stop.abort(new Error('cancelled'));
  await expect(running).rejects.toThrow('cancelled');
  await expect(waiting).rejects.toThrow('cancelled');
});

test('a verification that is stopped ends its process', async () => {
  const judges = judgePool({ entry: odd('for (;;);') });
  const stop = new AbortController();
  const document = await documentOf(tiny);
  const running = judges.rejudge({ document, only: [] }, tiny, { now, signal: stop.signal });
  stop.abort(new Error('cancelled'));
  await expect(running).rejects.toThrow('cancelled');
});

test('closing ends what runs and what waits', async () => {
  const judges = judgePool({ entry: odd('for (;;);') });
  const both = [judges.assess(tiny, { now }), judges.assess(tiny, { now })].map((one) =>
    expect(one).rejects.toThrow('The program is ending'),
  );
  await judges.close();
  await Promise.all(both);
});
