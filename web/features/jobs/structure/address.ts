/** The state of the structure in the address of the page. */
import { oneOf } from '../page/tables/tableAddress.ts';

export const VIEWS = { folders: 'Folders', graph: 'Link graph' } as const;
export type View = keyof typeof VIEWS;

/** What colors say. */
export const COLORS = { issues: 'Findings', depth: 'Depth', rank: 'PageRank' } as const;
export type ColorBy = keyof typeof COLORS;

export interface StructureAddress {
  readonly view: View;
  readonly color: ColorBy;
  /** The opened folder. */
  readonly folder: string;
  /** Whether the graph has the links of menus as well. */
  readonly menus: boolean;
}

export function structureIn(search: URLSearchParams): StructureAddress {
  return {
    view: oneOf(search, 'view', ['folders', 'graph']) ?? 'folders',
    color: oneOf(search, 'color', ['issues', 'depth', 'rank']) ?? 'issues',
    folder: search.get('folder') ?? '/',
    menus: search.get('menus') === 'yes',
  };
}
