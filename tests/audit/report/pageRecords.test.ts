import { describe, expect, it } from 'vitest';
import { sitePage } from '../../../bench/audit/sitePages.ts';
import { gatheringLinks, pageRecordJson } from '../../../src/audit/report/pageRecords.ts';
import { atOnce } from '../../../src/audit/timeSlices.ts';
import { LINK_FLAGS, type LinkColumns, type PageRecord, positionOfLink } from '../../../src/model/pageRecords.ts';
import { givenPage, givenSite } from '../../given/audit/page.ts';
import { recordsOf } from '../../given/audit/recordsOf.ts';

const recordOf = (...of: Parameters<typeof givenPage>): PageRecord =>
  JSON.parse(pageRecordJson(givenPage(...of))) as PageRecord;

describe('the record of a page', () => {
  it('has what its own view shows', () => {
    const record = recordOf({
      url: 'https://example.com/tea',
      headers: { 'content-type': 'text/html', 'x-robots-tag': 'noarchive', 'set-cookie': 'sid=1', 'x-secret': 'no' },
      html: `<html lang="en"><head><title>Tea</title><meta name="robots" content="max-snippet:50">
        <link rel="canonical" href="/tea"><link rel="alternate" hreflang="de" href="/de/tee">
        <meta property="og:title" content="Our tea"><meta name="twitter:card" content="summary">
        <script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Tea"}</script>
        </head><body><main><h1>Tea</h1><h2>Green</h2><p>From Uji.</p><img src="/t.jpg" alt="Leaves" width="40" loading="lazy"></main></body></html>`,
    });
    expect(record).toMatchObject({
      url: 'https://example.com/tea',
      chain: [{ url: 'https://example.com/tea', status: 200 }],
      directives: [
        { place: 'head > meta[name=robots]', bot: null, value: 'max-snippet:50' },
        { place: 'header x-robots-tag', bot: null, value: 'noarchive' },
      ],
      canonicals: [{ url: 'https://example.com/tea' }],
      alternates: [{ hreflang: 'de', url: 'https://example.com/de/tee' }],
      lang: 'en',
      headings: [
        { level: 1, text: 'Tea', hidden: false },
        { level: 2, text: 'Green', hidden: false },
      ],
      data: [{ syntax: 'json-ld', types: ['Product'], nodes: [{ '@type': 'Product', name: 'Tea' }], error: null }],
      images: [{ url: 'https://example.com/t.jpg', alt: 'Leaves', width: '40', height: null, lazy: true }],
      social: [
        { name: 'og:title', content: 'Our tea' },
        { name: 'twitter:card', content: 'summary' },
      ],
      markdown: '# Tea\n\n## Green\n\nFrom Uji.\n\n![Leaves](https://example.com/t.jpg)',
      leftOut: {},
    });
    expect(record.headers.map(({ name }) => name)).toEqual(['content-type', 'x-robots-tag']);
  });

  it('is the same without content', () => {
    const record = recordOf({ url: 'https://example.com/gone', status: 404 });
    expect(record).toMatchObject({ chain: [{ status: 404 }], headings: [], markdown: '', lang: '' });
  });

  it('holds no secret of an address or a header, and no cookie', () => {
    const secret = 'c0ffee-7Zq2';
    const text = pageRecordJson(
      givenPage({
        url: `https://example.com/a?token=${secret}`,
        headers: {
          'content-type': 'text/html',
          'set-cookie': `a=${secret}`,
          authorization: secret,
          link: `</x?sig=${secret}>; rel=preload`,
          'content-security-policy': `script-src 'nonce-${secret}'`,
        },
        html: `<head><link rel="canonical" href="/a?api_key=${secret}"><meta property="og:url" content="/a?session=${secret}">
          <script type="application/ld+json">{"@type":"Thing","url":"/t?auth=${secret}"}</script></head>
          <main><a href="/b?password=${secret}">B</a><img alt="Pic" src="https://u:${secret}@example.com/i.png"></main>`,
      }),
    );
    expect(text).not.toContain(secret);
    expect(text).toContain('[hidden]');
  });

  it('stays small whatever the page holds, and says what it leaves out', () => {
    const many = (text: string): string => text.repeat(3_000);
    const text = pageRecordJson(
      givenPage(
        `<head>${many('<link rel="alternate" hreflang="de" href="/de/page"><meta property="og:image" content="/i.png">')}
        <script type="application/ld+json">{"@type":"Thing","name":"${'x'.repeat(9_000)}"}</script></head>
        <main>${many('<h2>Heading of the page</h2><img src="/i.png" alt="A picture"><p>Words of it.</p>')}</main>`,
      ),
    );
    expect(text.length).toBeLessThan(130_000);
    const { headings, images, leftOut } = JSON.parse(text) as PageRecord;
    expect(headings.length).toBeGreaterThan(100);
    expect(images.length + (leftOut.images ?? 0)).toBe(1_000);
    expect(leftOut.headings).toBe(500 - headings.length);
  });
});

describe('the links of a site', () => {
  const linksOf = (...pages: readonly string[]): { runs: readonly LinkColumns[]; all: number } =>
    atOnce(
      gatheringLinks(
        givenSite({ pages: pages.map((html, n) => ({ url: `https://example.com/${n === 0 ? '' : n}`, html })) }),
      ),
    );

  it('are columns with the page, target, answer, anchor, position, and rel of each', () => {
    const { runs, all } = linksOf(
      '<main><a href="/1">One</a><a href="https://other.example/" rel="nofollow ugc">Other</a></main>',
      '<nav><a href="/">Home</a></nav>',
    );
    expect(all).toBe(3);
    expect(runs).toHaveLength(1);
    const [{ pages, targets, anchors, flags, urls, statuses, rows, texts } = {} as LinkColumns] = runs;
    expect(pages).toEqual([
      [0, 2],
      [1, 1],
    ]);
    expect(targets.map((target) => [urls[target], statuses[target], rows[target]])).toEqual([
      ['https://example.com/1', 200, 1],
      ['https://other.example/', null, null],
      ['https://example.com/', 200, 0],
    ]);
    expect(anchors.map((anchor) => texts[anchor])).toEqual(['One', 'Other', 'Home']);
    expect(flags.map(positionOfLink)).toEqual(['content', 'content', 'navigation']);
    expect((flags[1] ?? 0) & (LINK_FLAGS.nofollow | LINK_FLAGS.ugc | LINK_FLAGS.external)).toBe(
      LINK_FLAGS.nofollow | LINK_FLAGS.ugc | LINK_FLAGS.external,
    );
  });

  it('are none of a site without links, and in several runs of one with many', () => {
    expect(linksOf('<p>Nothing</p>')).toEqual({ runs: [], all: 0 });
    const page = Array.from({ length: 1_900 }, (_, n) => `<a href="/very/long/address/of/page-${n}">${n}</a>`).join('');
    const { runs, all } = linksOf(page, page, page);
    expect(all).toBe(3 * 1_900);
    expect(runs.length).toBeGreaterThan(1);
    expect(runs.flatMap(({ pages }) => pages).reduce((sum, [, links]) => sum + links, 0)).toBe(all);
  });
});

describe('what an audit keeps of a site of 200 pages', () => {
  it('takes less than 6 KB a page and 20 bytes a link', async () => {
    const count = 200;
    const pages = Array.from({ length: count }, (_, n) => ({
      url: `https://example.com/${n === 0 ? '' : `page-${n}`}`,
      html: sitePage(n, count, 41_000),
    }));
    const { pages: records, links, allLinks } = await recordsOf(givenSite({ pages }));
    const bytes = (parts: readonly { readonly text: string }[]): number =>
      parts.reduce((sum, { text }) => sum + text.length, 0);
    expect(bytes(records) / count).toBeLessThan(6_000);
    expect(allLinks).toBeGreaterThan(10_000);
    expect(bytes(links) / allLinks).toBeLessThan(20);
  });
});
