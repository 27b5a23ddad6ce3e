/** What one edit would fix, as audits name it, in words. */
import type { RootCause } from '../findings.ts';
import { count, listed } from '../wording.ts';
import { isWritten } from './effort.ts';
import type { Root } from './roots.ts';

const SHOWN = 3;
/** Named one by one with `behind`, if there are several. */
const TARGETS: ReadonlySet<RootCause['kind']> = new Set(['link', 'image']);
const NOUNS = { template: 'template', header: 'response header', file: 'file' } as const;

/** Of an issue, as far as its root causes are told. */
export type Rooted = {
  readonly checkId: string;
  /** That of most pages first; null if the audit did not name them. */
  readonly roots: readonly Root[] | null;
  /** Number of its pages. */
  readonly pages: number;
};

/**
 * The one or few edits behind an issue of several pages, in a sentence; '' if there is nothing to say. `quote` marks
 * what comes from the site.
 */
export function rootText({ checkId, roots, pages }: Rooted, quote: (name: string) => string): string {
  const [first, ...more] = roots ?? [];
  if (first === undefined || pages < 2 || first.pages < 2) return '';
  // Each page needs a text of its own: no edit fixes all.
  if (isWritten(checkId) && first.kind === 'template')
    return more.length > 0 || first.name === '*' ? '' : `They are all pages of one template, ${quote(first.name)}.`;
  if (more.length === 0) return `${capital(one(first, quote))}.`;
  const { kind } = first;
  if (more.length < SHOWN && kind in NOUNS && more.every((other) => other.kind === kind)) {
    const each = [first, ...more].map((root) => `${quote(root.name)} (${count(root.pages, 'page')})`);
    return `${capital(count(each.length, NOUNS[kind as keyof typeof NOUNS]))}: ${listed(each)}.`;
  }
  return !TARGETS.has(kind) && first.pages > pages / 2 ? `Most of it is ${one(first, quote)}.` : '';
}

function one({ kind, name, position, pages }: Root, quote: (name: string) => string): string {
  switch (kind) {
    case 'template':
      return name === '*'
        ? `one layout that all templates share: ${count(pages, 'page')}`
        : `one template, ${quote(name)}: ${count(pages, 'page')}`;
    case 'link':
      return `one link${position === undefined ? '' : ` in the ${position}`}, on ${count(pages, 'page')}: ${quote(name)}`;
    case 'image':
      return `one image, on ${count(pages, 'page')}: ${quote(name)}`;
    case 'header':
      return `one response header, ${quote(name)}: ${count(pages, 'page')}`;
    case 'file':
      return `one file: ${quote(name)}`;
    case 'page':
      return `one page: ${quote(name)}`;
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
