/** What is drawn of the structure: rectangles, circles, places of pages, and labels. */
import { describe, expect, it } from 'vitest';
import type { FolderView, LinkedPage } from '../../../../src/http/contract/structure.ts';
import { treeOf, wayTo } from '../../../../web/features/jobs/structure/folderTree.ts';
import { clustersOf } from '../../../../web/features/jobs/structure/graph/clusters.ts';
import { circlesOf, layoutOf } from '../../../../web/features/jobs/structure/graph/layout.ts';
import { fitting, pageAt, wholeView, zoomed } from '../../../../web/features/jobs/structure/graph/view.ts';
import { levelOf } from '../../../../web/features/jobs/structure/levels.ts';
import { cellsOf } from '../../../../web/features/jobs/structure/treemap.ts';

const folder = (path: string, pages: number): FolderView => ({
  path,
  pages,
  withFindings: 0,
  withHighImpact: 0,
  findings: 0,
  apart: { withFindings: 0, withHighImpact: 0, findings: 0 },
  shallowest: 1,
  deepest: 1,
  pageRank: null,
  inlinks: null,
});
const page = (url: string, inFolder: number): LinkedPage => ({
  url,
  folder: inFolder,
  status: 200,
  clicksFromStart: 1,
  inlinks: 1,
  outlinks: 1,
  pageRank: 1,
  findings: 0,
  apart: { findings: 0, highImpact: 0 },
  highImpact: 0,
});

describe('the tree of folders', () => {
  it('has each in the nearest one that is listed, the largest first', () => {
    const root = treeOf([folder('/', 10), folder('/a/', 2), folder('/b/', 5), folder('/b/c/d/', 3)]);
    expect(root?.folders.map(({ name, own }) => [name, own.pages])).toEqual([
      ['b', 2],
      ['a', 2],
    ]);
    expect(root?.own.pages).toBe(3);
    expect(root?.folders[0]?.folders[0]?.name).toBe('c/d');
    expect(wayTo(root!, '/b/c/d/').map(({ path }) => path)).toEqual(['/', '/b/', '/b/c/d/']);
    expect(wayTo(root!, '/nothing/').map(({ path }) => path)).toEqual(['/']);
    expect(treeOf([])).toBeNull();
  });
});

describe('the rectangles of folders', () => {
  const many = Array.from({ length: 300 }, (_, n) => folder(`/f${n}/`, 300 - n));
  const root = treeOf([
    folder(
      '/',
      many.reduce((sum, { pages }) => sum + pages, 70),
    ),
    ...many,
  ]);

  it('fill the frame by their pages without covering each other, and fold small ones into one', () => {
    const cells = cellsOf(root!, 700, 400);
    expect(cells).toHaveLength(42);
    expect(cells.reduce((sum, { pages }) => sum + pages, 0)).toBe(root?.pages);
    expect(cells.find(({ kind }) => kind === 'folders')).toMatchObject({ inside: 260 });
    expect(cells.find(({ kind }) => kind === 'own')).toMatchObject({ pages: 70 });
    for (const [n, a] of cells.entries()) {
      expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= 700 && a.y + a.height <= 400).toBe(true);
      for (const b of cells.slice(n + 1))
        expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(
          true,
        );
    }
  });

  it('leave out what has no room', () => {
    const cells = cellsOf(treeOf([folder('/', 100_001), folder('/a/', 100_000)])!, 300, 200);
    expect(cells.map(({ kind }) => kind)).toEqual(['folder']);
  });

  it('of a folder with only pages is one', () => {
    expect(cellsOf(treeOf([folder('/', 3)])!, 700, 400)).toMatchObject([{ kind: 'own', width: 700, height: 400 }]);
  });
});

describe('what a color says', () => {
  const apart = { withFindings: 0, withHighImpact: 0, findings: 0 };
  const of = { pages: 10, apart, fewest: 1, most: 1, pageRank: 10 };
  it.each([
    ['issues', {}, 0, 'no findings'],
    ['issues', { apart: { ...apart, withFindings: 4, findings: 12 } }, 1, '1.2 findings a page'],
    ['issues', { apart: { ...apart, withFindings: 4, withHighImpact: 5 } }, 2, '50% high impact'],
    ['issues', { apart: { ...apart, withFindings: 9, withHighImpact: 6 } }, 3, '60% high impact'],
    ['depth', {}, 0, '1 click'],
    ['depth', { most: 5 }, 2, '1–5 clicks'],
    ['depth', { fewest: null, most: null }, null, 'no link'],
    ['rank', {}, 1, '1.0× mean'],
    ['rank', { pageRank: 400 }, 3, '40× mean'],
    ['rank', { pageRank: null }, null, 'unknown'],
  ] as const)('%s of %o', (by, over, level, text) => {
    expect(levelOf({ ...of, ...over }, by, { pageRank: 1, highImpact: 50 })).toEqual({ level, text });
  });
});

describe('the groups of the graph', () => {
  it('are the folders, told apart further where most pages are in one', () => {
    const folders = ['/', '/en/', '/en/a/', '/en/b/', '/de/'].map((path) => folder(path, 1));
    const pages = [
      page('0', 0),
      ...Array.from({ length: 8 }, (_, n) => page(`${n}`, n % 2 === 0 ? 2 : 3)),
      page('9', 4),
    ];
    const clusters = clustersOf(pages, folders);
    expect(clusters.map(({ label, pages: own }) => [label, own.length])).toEqual([
      ['/', 1],
      ['/en/a/', 4],
      ['/en/b/', 4],
      ['/de/', 1],
    ]);
  });

  it('are so many at most, the rest in one', () => {
    const folders = [folder('/', 1), ...Array.from({ length: 50 }, (_, n) => folder(`/${n}/`, 1))];
    const clusters = clustersOf(
      folders.map((_, n) => page(`${n}`, n)),
      folders,
    );
    expect(clusters).toHaveLength(14);
    expect(clusters.at(-1)).toMatchObject({ path: null, label: '38 more folders' });
    expect(clusters.flatMap(({ pages }) => pages).sort((a, b) => a - b)).toEqual([...folders.keys()]);
    expect(clustersOf([], [])).toEqual([]);
  });
});

describe('the layout of the graph', () => {
  const clusters = [[0], [...Array(40).keys()].map((n) => n + 1), [41, 42, 43]];
  const input = {
    radii: Array.from({ length: 44 }, (_, n) => 3 + (n % 5)),
    clusters,
    from: [...Array(43).keys()],
    to: [...Array(43).keys()].map((n) => n + 1),
  };
  const settled = (): Float32Array => {
    const layout = layoutOf(input);
    layout.advance(layout.steps);
    return layout.positions();
  };

  it('is the same each time, with each page in the circle of its group, and no circle on another', () => {
    const positions = settled();
    expect(settled()).toEqual(positions);
    const circles = circlesOf(input);
    for (const [cluster, pages] of clusters.entries()) {
      const { x, y, r } = circles[cluster]!;
      for (const place of pages) {
        const distance = Math.hypot(positions[2 * place]! - x, positions[2 * place + 1]! - y);
        expect(distance + input.radii[place]!).toBeLessThan(r);
      }
      for (const other of circles.slice(cluster + 1))
        expect(Math.hypot(other.x - x, other.y - y)).toBeGreaterThan(other.r + r);
    }
  });

  it('keeps pages apart', () => {
    const positions = settled();
    const distances = input.radii.flatMap((_, a) =>
      input.radii.slice(a + 1).map((__, n) => {
        const b = a + 1 + n;
        const apart = Math.hypot(positions[2 * a]! - positions[2 * b]!, positions[2 * a + 1]! - positions[2 * b + 1]!);
        return apart - input.radii[a]! - input.radii[b]!;
      }),
    );
    expect(Math.min(...distances)).toBeGreaterThan(-1);
  });

  it('of nothing, and of one page', () => {
    expect(layoutOf({ radii: [], clusters: [], from: [], to: [] }).positions()).toHaveLength(0);
    expect([...layoutOf({ radii: [3], clusters: [[0]], from: [], to: [] }).positions()]).toEqual([0, 0]);
  });
});

describe('the view of the graph', () => {
  const size = { width: 600, height: 400 };

  it('has all circles in the frame, and zooms around a point', () => {
    const circles = [
      { x: -500, y: 0, r: 100 },
      { x: 800, y: 300, r: 50 },
    ];
    const view = wholeView(circles, size);
    for (const { x, y, r } of circles) {
      expect(view.x + view.k * (x - r)).toBeGreaterThanOrEqual(0);
      expect(view.x + view.k * (x + r)).toBeLessThanOrEqual(size.width);
      expect(view.y + view.k * (y + r)).toBeLessThanOrEqual(size.height);
    }
    const at = { x: 100, y: 100 };
    const larger = zoomed(view, 2, at);
    expect(larger.k).toBeCloseTo(2 * view.k);
    expect((at.x - larger.x) / larger.k).toBeCloseTo((at.x - view.x) / view.k);
    expect(zoomed(view, 1e9, at).k).toBe(8);
    expect(wholeView([], size)).toEqual({ x: 300, y: 200, k: 1 });
  });

  it('finds the nearest page under a point', () => {
    const positions = Float32Array.from([0, 0, 20, 0, 100, 100]);
    const view = { x: 10, y: 10, k: 2 };
    expect(pageAt(positions, [5, 5, 5], view, { x: 26, y: 10 })).toBe(0);
    expect(pageAt(positions, [5, 5, 5], view, { x: 40, y: 12 })).toBe(1);
    expect(pageAt(positions, [5, 5, 5], view, { x: 120, y: 120 })).toBeNull();
    expect(pageAt(new Float32Array(), [], view, { x: 0, y: 0 })).toBeNull();
  });

  it('has names that do not cover each other and are not cut off, the first ones first', () => {
    const label = (text: string, x: number, y: number) => ({ text, x, y, width: 60, height: 16 });
    const labels = [
      label('a', 100, 100),
      label('b', 120, 110),
      label('c', 170, 100),
      label('d', 10, 50),
      label('e', 300, 395),
    ];
    expect(fitting(labels, size, 10).map(({ text }) => text)).toEqual(['a', 'c']);
    expect(fitting(labels, size, 1).map(({ text }) => text)).toEqual(['a']);
  });
});
