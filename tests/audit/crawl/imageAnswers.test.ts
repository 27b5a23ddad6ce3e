/** Images are asked for as browsers ask: a server that then sends a newer format has no old ones. */
import { expect, test } from 'vitest';
import { CHECKS } from '../../../src/audit/checks/index.ts';
import { runChecks } from '../../../src/audit/checks/runChecks.ts';
import { checkLinks } from '../../../src/audit/crawl/probes/linkChecks.ts';
import type { Fetcher } from '../../../src/model/fetching.ts';
import { givenSite } from '../../given/audit/page.ts';
import { crawlEnv } from './crawlEnv.ts';

/** Sends WebP to whoever accepts it, if it negotiates at all. */
const server =
  (negotiates: boolean): Fetcher =>
  async (url, { headers = {} } = {}) => {
    const isNew = negotiates && headers.accept?.includes('image/webp') === true;
    return {
      ok: true,
      requestedUrl: url,
      url,
      status: 200,
      headers: { 'content-type': [isNew ? 'image/webp' : 'image/jpeg'] },
      hops: [],
      body: new Uint8Array(),
      ttfbMs: 1,
      totalMs: 1,
      httpVersion: '1.1',
      transferBytes: 0,
      truncated: false,
    };
  };

test.each([
  ['is no old format where the server sends a newer one', true, 'passed'],
  ['is an old format where it does not', false, 'failed'],
])('a JPEG by its name %s', async (_, negotiates, state) => {
  const images = Array.from({ length: 12 }, (_each, index) => `<img src="/upload/${index}.jpg" alt="a">`).join('');
  const site = givenSite({ pages: [`<main><p>Tea</p>${images}</main>`] });
  const env = crawlEnv(server(negotiates));
  const options = { maxPages: 1, maxMs: 1e6, maxBytes: 1e9, concurrency: 1 };
  const { pages, discovery } = site;
  const scope = { pages, discovery, options, endsAt: env.now() + 1e6, crawlDelayMs: 0, roomLeft: 1e9 };
  const { checks: linkChecks } = await checkLinks(scope, env);
  expect(linkChecks.map(({ kind }) => kind)).toEqual(Array.from({ length: 12 }, () => 'image'));
  const check = CHECKS.filter(({ id }) => id === 'image-legacy-format');
  expect(runChecks({ ...site, linkChecks }, check).outcomes.map((outcome) => outcome.state)).toEqual([state]);
});

test('images of sitemaps are asked for after those of pages, within the same limit', async () => {
  const locs = [{ loc: '/', images: ['https://example.com/0-listed.jpg', 'https://example.com/shown.jpg'] }];
  const { pages, discovery } = givenSite({
    pages: ['<main><img src="/shown.jpg" alt="a"></main>'],
    sitemaps: [{ locs }],
  });
  const env = crawlEnv(server(false));
  const asked = async (maxLinkChecks: number): Promise<readonly string[]> => {
    const options = { maxPages: 1, maxMs: 1e6, maxBytes: 1e9, concurrency: 1, maxLinkChecks };
    const scope = { pages, discovery, options, endsAt: env.now() + 1e6, crawlDelayMs: 0, roomLeft: 1e9 };
    return (await checkLinks(scope, env)).checks.map(({ url }) => new URL(url).pathname);
  };
  expect(await asked(100)).toEqual(['/0-listed.jpg', '/shown.jpg']);
  // A fifth of them is for images.
  expect(await asked(5)).toEqual(['/shown.jpg']);
});
