/** What one edit would fix, as audits name it, in words. */
import type { Finding, RootCause } from '../../model/findings.ts';
import { code } from './markdown.ts';
import { count, listed } from './wording.ts';

/** A root cause with the pages that have it. */
export type Root = RootCause & { readonly pages: number };

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

const SHOWN = 3;
/** Named one by one with `behind`, if there are several. */
const TARGETS: ReadonlySet<RootCause['kind']> = new Set(['link', 'image']);
const NOUNS = { template: 'template', header: 'response header', file: 'file' } as const;

/**
 * The one or few edits behind a cause of several pages, in a sentence; '' if there is nothing to say. `isWritten`: each
 * page needs a text of its own, so that no edit fixes all.
 */
export function rootText(roots: readonly Root[] | null, pages: number, isWritten: boolean): string {
  const [first, ...more] = roots ?? [];
  if (first === undefined || pages < 2 || first.pages < 2) return '';
  if (isWritten && first.kind === 'template')
    return more.length > 0 || first.name === '*' ? '' : `They are all pages of one template, ${code(first.name)}.`;
  if (more.length === 0) return `${capital(one(first))}.`;
  const { kind } = first;
  if (more.length < SHOWN && kind in NOUNS && more.every((other) => other.kind === kind)) {
    const each = [first, ...more].map((root) => `${code(root.name)} (${count(root.pages, 'page')})`);
    return `${capital(count(each.length, NOUNS[kind as keyof typeof NOUNS]))}: ${listed(each)}.`;
  }
  return !TARGETS.has(kind) && first.pages > pages / 2 ? `Most of it is ${one(first)}.` : '';
}

function one({ kind, name, position, pages }: Root): string {
  switch (kind) {
    case 'template':
      return name === '*'
        ? `one layout that all templates share: ${count(pages, 'page')}`
        : `one template, ${code(name)}: ${count(pages, 'page')}`;
    case 'link':
      return `one link${position === undefined ? '' : ` in the ${position}`}, on ${count(pages, 'page')}: ${code(name)}`;
    case 'image':
      return `one image, on ${count(pages, 'page')}: ${code(name)}`;
    case 'header':
      return `one response header, ${code(name)}: ${count(pages, 'page')}`;
    case 'file':
      return `one file: ${code(name)}`;
    case 'page':
      return `one page: ${code(name)}`;
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Where to fix it; '' if that depends on the page. */
export function rootNote(roots: readonly Root[]): string {
  const [first] = roots;
  const isAll = (kind: RootCause['kind']): boolean => roots.every((root) => root.kind === kind);
  if (isAll('template')) {
    if (roots.length > 1) return 'Fix it once in each template.';
    return first?.name === '*' ? 'Fix it once, in that layout.' : 'Fix it once, in that template.';
  }
  return isAll('header') && roots.length === 1 ? 'One server setting fixes all of them.' : '';
}
