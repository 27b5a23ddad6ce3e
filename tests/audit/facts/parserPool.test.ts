import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { createParserPool, PageParseError, type ParserPool } from '../../../src/audit/facts/parse/parserPool.ts';

const pools: ParserPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function pool(options: Parameters<typeof createParserPool>[0]): ParserPool {
  const created = createParserPool(options);
  pools.push(created);
  return created;
}

function page(html: string, url = 'https://example.com/') {
  return { url, body: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8' };
}

/** It never ends 'hang', dies of 'die', 'throw', and 'greedy', and answers any other page with its text. */
const odd = new URL(
  `data:text/javascript,${encodeURIComponent(`
  process.on('message', ({ body }) => {
    const text = new TextDecoder().decode(body);
    if (text === 'die') process.exit(1);
    if (text === 'throw') throw new Error('a fault');
    if (text === 'hang') for (;;);
    if (text === 'greedy') { const many = new Map(); for (let key = 0; ; key += 1) many.set(key, key); }
    process.send({ facts: { text, links: [], images: [], resources: [] } });
  });`)}`,
);

test('parses pages in processes of their own, more pages than processes', async () => {
  const parsers = pool({ processes: 2 });
  const facts = await Promise.all(
    ['One', 'Two', 'Three', 'Four', 'Five'].map((title) => parsers.parse(page(`<title>${title}</title>`))),
  );
  expect(facts.map((fact) => fact.titles[0]?.text)).toEqual(['One', 'Two', 'Three', 'Four', 'Five']);
});

/** The `nice` of every process that this one has started. */
function prioritiesOfOthers(): readonly number[] {
  return readdirSync('/proc').flatMap((id) => {
    try {
      // The part before the last bracket is the program's name, which may have spaces.
      const fields =
        readFileSync(`/proc/${Number(id)}/stat`, 'utf8')
          .split(') ')
          .at(-1)
          ?.split(' ') ?? [];
      return Number(fields[1]) === process.pid ? [Number(fields[16])] : [];
    } catch {
      return [];
    }
  });
}

test.runIf(process.platform === 'linux')(
  'runs at low priority, and leaves the priority of this process alone',
  async () => {
    const own = getPriority();
    await pool({ processes: 1 }).parse(page('<title>One</title>'));
    expect(prioritiesOfOthers()).toContain(Math.min(19, own + 5));
    expect(getPriority()).toBe(own);
  },
);

test('leaves bytes intact that share a buffer with others', async () => {
  const shared = new TextEncoder().encode('<title>A</title><title>B</title>');
  const facts = await pool({ processes: 1 }).parse({
    url: 'https://example.com/',
    body: shared.subarray(0, 16),
    contentType: null,
  });
  expect(facts.titles).toEqual([{ text: 'A', inHead: true }]);
  expect(new TextDecoder().decode(shared)).toContain('<title>B</title>');
});

test.each(['hang', 'die', 'throw', 'greedy'])(
  'a page that makes the process %s fails alone, and the next one gets a new process',
  async (what) => {
    const parsers = pool({ processes: 1, timeoutMs: what === 'hang' ? 1_500 : 20_000, entry: odd });
    const failed = parsers.parse(page(what));
    const next = parsers.parse(page('fine'));
    await expect(failed).rejects.toMatchObject({
      name: 'PageParseError',
      failure: what === 'hang' ? 'timeout' : 'crashed',
    });
    expect((await next).text).toBe('fine');
  },
);

test('serves the pages of several owners in turns', async () => {
  const parsers = pool({ processes: 1, entry: odd });
  const done: string[] = [];
  const [many, few] = [{}, {}];
  const parse = (text: string, owner: object) =>
    parsers.parse(page(text), owner).then((facts) => done.push(facts.text));
  await Promise.all([...['a1', 'a2', 'a3', 'a4'].map((text) => parse(text, many)), parse('b1', few), parse('b2', few)]);
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('gives up an owner whose pages cost three processes, and nobody else', async () => {
  const parsers = pool({ processes: 1, entry: odd });
  const [bad, good] = [{}, {}];
  const waiting = [...['die', 'die', 'die', 'fine', 'fine'].map((text) => parsers.parse(page(text), bad))];
  const ends = await Promise.allSettled(waiting);
  expect(ends.map((end) => (end.status === 'rejected' ? end.reason.failure : 'read'))).toEqual([
    ...['crashed', 'crashed', 'crashed'],
    ...['timeout', 'timeout'],
  ]);
  await expect(parsers.parse(page('fine'), bad)).rejects.toMatchObject({ failure: 'timeout' });
  expect((await parsers.parse(page('fine'), good)).text).toBe('fine');
  expect((await parsers.parse(page('fine'))).text).toBe('fine');
});

test('gives less time to an owner with many slow pages, and to nobody else', async () => {
  let now = 0;
  // The clock is asked when a page is given to a thread and when it is done.
  const parsers = pool({ processes: 1, timeoutMs: 2_000, entry: odd, now: () => (now += 900) });
  const [slow, other] = [{}, {}];
  for (let each = 0; each < 10; each += 1) await parsers.parse(page('fine'), slow);
  await expect(parsers.parse(page('hang'), slow)).rejects.toThrow('more than 500 ms');
  await expect(parsers.parse(page('hang'), other)).rejects.toThrow('more than 2000 ms');
});

test('gives all pages their time while they take a part of it', async () => {
  let now = 0;
  const parsers = pool({ processes: 1, timeoutMs: 2_000, entry: odd, now: () => (now += 700) });
  const owner = {};
  for (let each = 0; each < 12; each += 1) await parsers.parse(page('fine'), owner);
  await expect(parsers.parse(page('hang'), owner)).rejects.toThrow('more than 2000 ms');
});

test.runIf(process.platform === 'linux')(
  'ends a process that has no page for long, and starts another for the next',
  async () => {
    const parsers = pool({ processes: 1, idleMs: 20, entry: odd });
    const other = prioritiesOfOthers().length;
    expect((await parsers.parse(page('one'))).text).toBe('one');
    await vi.waitFor(() => expect(prioritiesOfOthers()).toHaveLength(other), { timeout: 10_000 });
    expect((await parsers.parse(page('two'))).text).toBe('two');
  },
);

test('closing fails waiting and later pages', async () => {
  const parsers = pool({ processes: 1, entry: odd });
  const pending = [parsers.parse(page('hang')), parsers.parse(page('waiting'))];
  const ends = Promise.allSettled(pending);
  await parsers.close();
  for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: { failure: 'closed' } });
  await expect(parsers.parse(page('late'))).rejects.toBeInstanceOf(PageParseError);
});
