/** The pages of the graph by folder: each page is in one cluster. */
import type { FolderView, LinkedPage } from '../../../../../src/http/contract/structure.ts';

/** The smallest ones share the last. */
const MOST_CLUSTERS = 14;
/** A folder with more of all pages than this is told apart into its own folders. */
const MOST_SHARE = 0.6;

export interface Cluster {
  /** Path of its folder; null for several folders. */
  readonly path: string | null;
  readonly label: string;
  /** Places of its pages. */
  readonly pages: readonly number[];
}

/** The cluster of the home page comes first, then the largest. */
export function clustersOf(pages: readonly LinkedPage[], folders: readonly FolderView[]): readonly Cluster[] {
  const members = new Map<string, number[]>();
  const split = splitFolders(pages, folders);
  for (const [place, page] of pages.entries()) {
    const path = clusterPath(folders[page.folder]?.path ?? '/', split);
    const own = members.get(path);
    if (own) own.push(place);
    else members.set(path, [place]);
  }
  const sorted = [...members].sort(
    ([a, own], [b, other]) => Number(b === '/') - Number(a === '/') || other.length - own.length,
  );
  const shown = sorted.slice(0, sorted.length > MOST_CLUSTERS ? MOST_CLUSTERS - 1 : MOST_CLUSTERS);
  const rest = sorted.slice(shown.length).flatMap(([, own]) => own);
  return [
    ...shown.map(([path, own]): Cluster => ({ path, label: path, pages: own })),
    ...(rest.length > 0 ? [{ path: null, label: `${sorted.length - shown.length} more folders`, pages: rest }] : []),
  ];
}

/** `/`, and below it the folders in which most pages are. */
function splitFolders(pages: readonly LinkedPage[], folders: readonly FolderView[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const page of pages) {
    const path = folders[page.folder]?.path ?? '/';
    for (let at = path.indexOf('/', 1); at > 0; at = path.indexOf('/', at + 1)) {
      const around = path.slice(0, at + 1);
      counts.set(around, (counts.get(around) ?? 0) + 1);
    }
  }
  const large = [...counts].filter(([, number]) => number > MOST_SHARE * pages.length).map(([path]) => path);
  return new Set(['/', ...large]);
}

/** The outermost folder of the path that is not told apart further. */
function clusterPath(path: string, split: ReadonlySet<string>): string {
  let around = '/';
  for (let at = path.indexOf('/', 1); at > 0 && split.has(around); at = path.indexOf('/', at + 1))
    around = path.slice(0, at + 1);
  return around;
}
