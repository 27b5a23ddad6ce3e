/** What one edit would fix, as audits name it, gathered over the findings of an issue. */
import type { Finding, RootCause } from '../findings.ts';

/** A root cause with the number of pages that have it. */
export type Root = RootCause & { readonly pages: number };

/** Of an issue, as far as they are written down: the first ones say where to begin. */
export const MOST_ROOTS = 20;

/** The distinct root causes, that of most pages first; null if the audit did not name them. */
export function rootsOf(findings: readonly Finding[]): readonly Root[] | null {
  const groups = new Map<string, { root: RootCause; pages: Set<string> }>();
  for (const { root, evidence } of findings) {
    if (root === undefined) return null;
    const key = `${root.kind} ${root.name}`;
    const group = groups.get(key);
    if (group) group.pages.add(evidence.url);
    else groups.set(key, { root, pages: new Set([evidence.url]) });
  }
  return [...groups.values()]
    .map(({ root, pages }) => ({ ...root, pages: pages.size }))
    .sort((a, b) => b.pages - a.pages);
}
