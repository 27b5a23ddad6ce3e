/** What the structure of a large site leaves out, and says so. */
import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../src/domain/report/reportData.ts';
import type { ReportPage } from '../../../src/domain/report/reportRows.ts';
import { foldersAround, isInFolder, pathOf } from '../../../src/http/reports/folders.ts';
import type { LinkTable } from '../../../src/http/reports/linkTable.ts';
import { pageTableOf } from '../../../src/http/reports/pageTable.ts';
import { structureOf } from '../../../src/http/reports/structure.ts';
import type { Finding } from '../../../src/model/findings.ts';
import { LINK_FLAGS } from '../../../src/model/pageRecords.ts';
import { found, foundAt, foundPage } from '../../given/found.ts';

const rowsOf = (urls: readonly string[]): ReportPage[] =>
  urls.map((url, n) => ({ ...foundPage(url, { inlinks: 1, outlinks: 1, pageRank: urls.length - n }), rows: [] }));

/** Each from one row to another. */
function linksOf(pairs: readonly (readonly [from: number, to: number, flags?: number])[], rows: number): LinkTable {
  return {
    count: pairs.length,
    from: Uint32Array.from(pairs, ([from]) => from),
    target: Uint32Array.from(pairs, ([, to]) => to),
    text: new Uint32Array(pairs.length),
    flags: Uint8Array.from(pairs, ([, , flags = 0]) => flags),
    urls: [],
    statuses: new Uint16Array(rows),
    pages: Int32Array.from({ length: rows }, (_, row) => row),
    texts: [],
    orderBy: async () => ({ order: new Uint32Array(), known: 0 }),
  };
}

describe('folders', () => {
  it.each([
    ['https://a.example', '', ['/']],
    ['https://a.example/', '', ['/']],
    ['https://a.example?a=/b/c', '', ['/']],
    ['https://a.example/tea', '/tea', ['/']],
    ['https://a.example/tea/?a#/b', '/tea', ['/']],
    ['https://a.example/tea/green/', '/tea/green', ['/', '/tea/']],
    ['https://a.example//tea', '//tea', ['/', '//']],
  ])('of %s', (url, path, folders) => {
    expect(pathOf(url)).toBe(path);
    expect(foldersAround(pathOf(url))).toEqual(folders);
    for (const folder of folders) expect(isInFolder(url, folder)).toBe(true);
    expect(isInFolder(url, '/te/')).toBe(false);
  });

  it('within folders are told apart up to a level', () => {
    expect(foldersAround('/a'.repeat(5000))).toHaveLength(12);
    expect(foldersAround(`/${'a'.repeat(999)}/b/c`)).toEqual(['/']);
    const long = `/${'a'.repeat(900)}/${'b'.repeat(900)}/c`;
    expect(foldersAround(long)).toEqual(['/', long.slice(0, 902)]);
  });
});

describe('what nearly every page has', () => {
  const check = (id: string, on: readonly number[], over: Partial<Finding> = {}) =>
    on.map((n) => foundAt(id, `https://a.example/${n % 2}/${n}`, { impact: 'high', ...over }));
  const made = async (pages: number, findings: readonly Finding[]) => {
    const rows = Array.from({ length: pages }, (_, n) => {
      const url = `https://a.example/${n % 2}/${n}`;
      const own = findings.filter(({ evidence }) => evidence.url === url);
      return foundPage(url, {
        indexable: true,
        pageRank: 1,
        findings: own.length,
        highImpact: own.filter(({ impact }) => impact === 'high').length,
      });
    });
    const report = reportOf(found({ findings }), rows, new Set());
    return structureOf(pageTableOf(report.pages), report.overview.causes, null);
  };
  const all = [...Array(20).keys()];

  it('is named once, and left out where parts are told apart', async () => {
    const { everywhere, folders, graph } = await made(20, [
      ...check('title-missing', all.slice(2)),
      ...check('thin', [1, 3], { category: 'content', impact: 'medium' }),
      ...check('images-without-alt', [5]),
    ]);
    expect(everywhere.map(({ checkId }) => checkId)).toEqual(['title-missing']);
    expect(folders.map(({ path, withHighImpact, apart }) => [path, withHighImpact, apart])).toEqual([
      ['/', 18, { withFindings: 3, withHighImpact: 1, findings: 3 }],
      ['/0/', 9, { withFindings: 0, withHighImpact: 0, findings: 0 }],
      ['/1/', 9, { withFindings: 3, withHighImpact: 1, findings: 3 }],
    ]);
    expect(graph.pages.find(({ url }) => url.endsWith('/5'))).toMatchObject({
      highImpact: 2,
      apart: { findings: 1, highImpact: 1 },
    });
  });

  it.each([
    ['on fewer than nine of ten pages', 20, all.slice(3), []],
    ['on nine of ten pages', 20, all.slice(2), ['title-missing']],
    ['on each of only four pages', 4, [0, 1, 2, 3], []],
    ['on no page', 20, [], []],
  ])('an issue %s', async (_, pages, on, named) => {
    const { everywhere, folders } = await made(pages, check('title-missing', on));
    expect(everywhere.map(({ checkId }) => checkId)).toEqual(named);
    expect(folders[0]?.apart.withHighImpact).toBe(named.length > 0 ? 0 : on.length);
  });
});

describe('the structure', () => {
  it.each([0, 1])('of %i pages', async (pages) => {
    const rows = rowsOf(Array.from({ length: pages }, () => 'https://a.example/'));
    const { folders, graph } = await structureOf(pageTableOf(rows), [], linksOf([[0, 0]], pages));
    expect(folders.map((folder) => folder.pages)).toEqual(Array(pages).fill(1));
    expect(graph.pages).toHaveLength(pages);
    expect(graph.edges.from).toEqual([]);
  });

  it('keeps the largest folders: pages of the others count for the folder they are in', async () => {
    const small = Array.from({ length: 2500 }, (_, n) => `https://a.example/small/${n}/page`);
    const large = Array.from({ length: 30 }, (_, n) => `https://a.example/large/deep/${n}`);
    const { folders, moreFolders, graph } = await structureOf(pageTableOf(rowsOf([...large, ...small])), [], null);
    expect(folders).toHaveLength(2000);
    // `/`, `/small/`, its 2,500 folders, `/large/` and `/large/deep/`.
    expect(moreFolders).toBe(504);
    expect(folders.find(({ path }) => path === '/small/')).toMatchObject({ pages: 2500 });
    const known = new Set(folders.map(({ path }) => path));
    for (const { path } of folders)
      for (const around of foldersAround(path.slice(0, -1))) expect(known).toContain(around);
    for (const page of graph.pages) expect(isInFolder(page.url, folders[page.folder]?.path ?? 'none')).toBe(true);
    expect(folders[graph.pages[0]?.folder ?? 0]?.path).toBe('/large/deep/');
  });

  it('keeps the pages with the highest PageRank, and of their links first those that no template repeats', async () => {
    const size = 1200;
    const rows = rowsOf(Array.from({ length: size }, (_, n) => `https://a.example/${n}`));
    const menu = Array.from({ length: 30 }, (_, to) =>
      Array.from({ length: size }, (_, from) => [from, to, LINK_FLAGS.template] as const),
    ).flat();
    const own = Array.from({ length: size - 1 }, (_, n) => [n, n + 1, LINK_FLAGS.nofollow] as const);
    const { graph } = await structureOf(pageTableOf(rows), [], linksOf([...menu, ...own, ...own], size));
    expect(graph.pages).toHaveLength(1000);
    expect(graph.pages[0]?.url).toBe('https://a.example/0');
    expect(graph.morePages).toBe(200);
    const { from, to, links, own: isOwn, followed } = graph.edges;
    expect(from).toHaveLength(20_000);
    for (const column of [to, links, isOwn, followed]) expect(column).toHaveLength(20_000);
    expect(isOwn.filter(Boolean)).toHaveLength(999);
    expect(isOwn.slice(0, 999)).not.toContain(false);
    // Where a menu links as well, one of the links is followed.
    expect(followed.filter((is) => !is)).toHaveLength(999 - 29);
    expect(Math.max(...links)).toBe(3);
    // All pairs are menu links to 30 pages, and the rest of the chain; no page links to itself.
    expect(graph.moreEdges).toBe(30 * 999 + 999 - 29 - 20_000);
  });
});
