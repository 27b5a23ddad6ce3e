/** The folders in a folder as rectangles: the more pages, the larger. */
import { type HierarchyRectangularNode, hierarchy, treemap } from 'd3-hierarchy';
import type { Folder } from './folderTree.ts';

/** Of one folder; the others are one rectangle. */
const MOST_CELLS = 40;
const MOST_INNER_CELLS = 24;
const TITLE_HEIGHT = 24;

/** `folders`: of folders that are too small to be shown. */
export type CellKind = 'folder' | 'own' | 'folders';

export interface Cell {
  readonly key: string;
  readonly kind: CellKind;
  /** The one that it stands for, or in which its pages are. */
  readonly folder: Folder;
  readonly pages: number;
  /** Folders within: of a folder that has a title, and of `folders`. */
  readonly inside: number;
  /** 0: directly in the folder. */
  readonly level: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Part {
  readonly kind: CellKind;
  readonly folder: Folder;
  readonly pages: number;
  readonly inside: number;
  readonly parts: readonly Part[];
}

/** In px, within `width` and `height`. A folder comes before those that are in it. */
export function cellsOf(folder: Folder, width: number, height: number): readonly Cell[] {
  const root = hierarchy<Part>(
    { kind: 'folder', folder, pages: 0, inside: 0, parts: partsOf(folder, MOST_CELLS, true) },
    ({ parts }) => parts,
  ).sum(({ pages, parts }) => (parts.length > 0 ? 0 : pages));
  const placed = treemap<Part>()
    .size([width, height])
    .round(true)
    .paddingInner(3)
    .paddingTop((node) => (node.depth === 1 ? TITLE_HEIGHT : 0))
    .paddingRight((node) => (node.depth === 1 ? 3 : 0))
    .paddingLeft((node) => (node.depth === 1 ? 3 : 0))
    .paddingBottom((node) => (node.depth === 1 ? 3 : 0))(root);
  // A few pages among many have no room at all.
  return placed
    .descendants()
    .slice(1)
    .map(cellOf)
    .filter(({ width: wide, height: tall }) => wide > 0 && tall > 0);
}

function cellOf(node: HierarchyRectangularNode<Part>): Cell {
  const { kind, folder, inside, parts } = node.data;
  return {
    key: `${kind} ${folder.path} ${node.depth}`,
    kind,
    folder,
    pages: node.value ?? 0,
    inside: kind === 'folders' ? inside : parts.length,
    level: node.depth - 1,
    x: node.x0,
    y: node.y0,
    width: node.x1 - node.x0,
    height: node.y1 - node.y0,
  };
}

function partsOf(folder: Folder, most: number, open: boolean): readonly Part[] {
  const shown = folder.folders.slice(0, most);
  const small = folder.folders.slice(most);
  const parts = shown.map(
    (inner): Part => ({
      kind: 'folder',
      folder: inner,
      pages: inner.pages,
      inside: 0,
      parts: open && inner.folders.length > 0 ? partsOf(inner, MOST_INNER_CELLS, false) : [],
    }),
  );
  const own: Part = { kind: 'own', folder, pages: folder.own.pages, inside: 0, parts: [] };
  const rest: Part = {
    kind: 'folders',
    folder,
    pages: small.reduce((sum, { pages }) => sum + pages, 0),
    inside: small.length,
    parts: [],
  };
  return [...parts, own, rest].filter(({ pages }) => pages > 0).sort((a, b) => b.pages - a.pages);
}
