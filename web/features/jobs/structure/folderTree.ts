/** The list of folders as a tree. */
import type { FolderView } from '../../../../src/http/contract/structure.ts';
import type { Measured } from './levels.ts';

export interface Folder extends FolderView {
  /** The last part of its path: `/blog/2024/` is `2024`; the path itself at the root. */
  readonly name: string;
  /** The largest first. */
  readonly folders: readonly Folder[];
  /** Pages that are in none of its folders. */
  readonly own: OwnPages;
}

type OwnPages = Pick<FolderView, 'pages' | 'apart' | 'pageRank'>;

/** Null without pages. `folders`: each after the folder that it is in. */
export function treeOf(folders: readonly FolderView[]): Folder | null {
  const made = new Map<string, Folder & { folders: Folder[]; own: OwnPages }>();
  let root: Folder | null = null;
  for (const folder of folders) {
    const { path } = folder;
    const around = parentOf(path, made);
    const name = path.slice(around?.path.length ?? 0).replace(/\/$/, '') || path;
    const node = { ...folder, name, folders: [], own: folder };
    made.set(path, node);
    if (around) {
      around.folders.push(node);
      around.own = less(around.own, folder);
    } else root ??= node;
  }
  for (const { folders: inside } of made.values()) inside.sort((a, b) => b.pages - a.pages);
  return root;
}

function less(own: OwnPages, { pages, apart, pageRank }: OwnPages): OwnPages {
  return {
    pages: own.pages - pages,
    apart: {
      withFindings: own.apart.withFindings - apart.withFindings,
      withHighImpact: own.apart.withHighImpact - apart.withHighImpact,
      findings: own.apart.findings - apart.findings,
    },
    pageRank: own.pageRank === null || pageRank === null ? null : own.pageRank - pageRank,
  };
}

/** The nearest folder around it that is listed. */
function parentOf<Node>(path: string, made: ReadonlyMap<string, Node>): Node | null {
  for (let at = path.length - 1; at > 0; ) {
    at = path.lastIndexOf('/', at - 1);
    const around = made.get(path.slice(0, at + 1));
    if (around) return around;
  }
  return null;
}

/** From the root to the folder with this path, or to the last one on the way there. */
export function wayTo(root: Folder, path: string): readonly Folder[] {
  const way = [root];
  for (;;) {
    const next = way.at(-1)?.folders.find((folder) => path.startsWith(folder.path));
    if (!next) return way;
    way.push(next);
  }
}

export const measured = ({ shallowest, deepest, ...folder }: FolderView): Measured => ({
  ...folder,
  fewest: shallowest,
  most: deepest,
});
