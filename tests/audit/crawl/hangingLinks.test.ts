/** Links to servers that do not answer. */
import { expect, test } from 'vitest';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { checkLinks } from '../../../src/audit/crawl/probes/linkChecks.ts';
import { headThenGet } from '../../../src/audit/crawl/probes/probes.ts';
import type { Fetcher, FetchFailure } from '../../../src/model/fetching.ts';
import { type GivenSite, givenSite } from '../../given/audit/page.ts';
import { crawlEnv } from './crawlEnv.ts';

/** Answers 200, except where `failures` has the address, perhaps for one method only. */
function network(failures: Readonly<Record<string, FetchFailure>>) {
  const asked: string[] = [];
  const fetch: Fetcher = async (url, { method = 'GET' } = {}) => {
    asked.push(`${method} ${url}`);
    const failure = failures[`${method} ${url}`] ?? failures[url];
    if (failure) return { ok: false, requestedUrl: url, url, failure, message: '', hops: [] };
    const times = { ttfbMs: 1, totalMs: 1, httpVersion: '1.1', transferBytes: 0, truncated: false };
    return { ok: true, requestedUrl: url, url, status: 200, headers: {}, hops: [], body: new Uint8Array(), ...times };
  };
  return { asked, fetch };
}

async function checked(links: readonly string[], failures: Readonly<Record<string, FetchFailure>>) {
  const { asked, fetch } = network(failures);
  const html = links.map((link) => `<a href="${link}">x</a>`).join('');
  const { pages, discovery } = givenSite({ pages: [html] });
  const env = crawlEnv(fetch);
  const options = { maxPages: 1, maxMs: 1e6, maxBytes: 1e9, concurrency: 1 };
  const scope = { pages, discovery, options, endsAt: env.now() + 1e6, crawlDelayMs: 0, roomLeft: 1e9 };
  const { checks, untried } = await checkLinks(scope, env);
  return { asked, untried, answers: checks.map(({ url, outcome }) => [url, outcome.status ?? outcome.failure]) };
}

const at = (path: string): string => `https://partner.example/${path}`;

test('a HEAD without an answer is asked once more with GET', async () => {
  const { asked, answers, untried } = await checked([at('a')], { [`HEAD ${at('a')}`]: 'timeout' });
  expect(asked).toEqual([`HEAD ${at('a')}`, `GET ${at('a')}`]);
  expect(answers).toEqual([[at('a'), 200]]);
  expect(untried).toEqual([]);
});

test('an address that hangs says nothing about the others of its host', async () => {
  const { answers } = await checked([at('a'), at('b')], { [at('a')]: 'timeout' });
  expect(answers).toEqual([
    [at('a'), 'timeout'],
    [at('b'), 200],
  ]);
});

test('a host whose addresses all hang is given up', async () => {
  const links = ['a', 'b', 'c', 'd', 'e'].map(at);
  const { asked, untried } = await checked(links, Object.fromEntries(links.map((link) => [link, 'timeout'])));
  expect(asked).toHaveLength(6);
  expect(untried).toEqual(['external']);
});

test.each(['dns', 'refused', 'tls'] as const)(
  'after %s, the other links of the host are not asked',
  async (failure) => {
    const { asked } = await checked([at('a'), at('b')], { [at('a')]: failure });
    expect(asked).toEqual([`HEAD ${at('a')}`]);
  },
);

test('no GET is sent after the end of the crawl', async () => {
  const { asked, fetch } = network({ 'https://x.example/': 'timeout' });
  const env = crawlEnv(fetch);
  const endsAt = env.now() + 500;
  const late: Fetcher = (...given) => {
    env.advance(500);
    return fetch(...given);
  };
  expect(await headThenGet('https://x.example/', { ...env, fetch: late }, { timeoutMs: 1000, endsAt })).toMatchObject({
    failure: 'timeout',
  });
  expect(asked).toHaveLength(1);
});

test('unchecked links of a page count as not checked, beside broken ones as well', () => {
  const page = '<a href="https://one.example/">x</a><a href="https://two.example/">y</a>';
  const broken = { url: 'https://one.example/', kind: 'external' as const, status: 404 };
  const outcomeFor = (linkChecks: NonNullable<GivenSite['linkChecks']>) =>
    runChecks(givenSite({ pages: [page], linkChecks })).outcomes.find(
      ({ checkId }) => checkId === 'broken-external-link',
    );
  expect(outcomeFor([broken])).toMatchObject({ state: 'failed', looked: 1, failed: 1, notChecked: 1 });
  expect(outcomeFor([broken, { ...broken, url: 'https://two.example/', status: 200 }])).toMatchObject({
    state: 'failed',
    notChecked: 0,
  });
});
