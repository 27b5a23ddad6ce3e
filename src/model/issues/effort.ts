/** How long it takes to fix an issue. */
import type { Finding } from '../findings.ts';
import { targetsOf } from './relations.ts';
import { rootsOf } from './roots.ts';

/** No issue is estimated at more than a working day, or a working week of writing. */
const MAX_MINUTES = 480;
const MAX_WRITING_MINUTES = 5 * MAX_MINUTES;

/** Texts that are written for each page; one edit of a template gives every page the right value of anything else. */
const WRITTEN: ReadonlySet<string> = new Set([
  'description-duplicate',
  'description-length',
  'description-missing',
  'duplicate-content',
  'h1-missing',
  'hard-to-read',
  'image-alt-missing',
  'image-alt-poor',
  'no-subheadings',
  'placeholder-text',
  'thin-content',
  'title-duplicate',
  'title-generic',
  'title-h1-mismatch',
  'title-missing',
  'title-too-long',
  'title-too-short',
]);

/** Existing addresses stay as they are, however many there are: only those of new pages are chosen better. */
const FOR_NEW_PAGES: ReadonlySet<string> = new Set(['url-too-long', 'url-underscores']);

/** Each page needs a text of its own. */
export const isWritten = (checkId: string): boolean => WRITTEN.has(checkId);

/**
 * Number of separate edits that fix the findings of a check on `pages` pages. A missing page needs one, no matter how
 * many links lead to it; an image needs one wherever it is shown. Texts are written page by page; anything else is
 * fixed once per root cause, or, where the audit names none, per distinct thing found (a template's fault looks the
 * same on all pages).
 */
export function editsFor(findings: readonly Finding[], pages: number, roots = rootsOf(findings)): number {
  const targets = targetsOf(findings);
  if (targets !== null) return targets.addresses.length;
  const checkId = findings[0]?.checkId ?? '';
  if (FOR_NEW_PAGES.has(checkId)) return 1;
  if (isWritten(checkId)) return pages;
  if (roots !== null) return roots.length;
  return new Set(findings.map((finding) => `${finding.evidence.place}\n${finding.evidence.value}`)).size;
}

/**
 * Minutes for so many edits. The first takes the check's time. Of texts, each further one takes a third of it; of
 * anything else the next nine do, and the rest a tenth.
 */
export function minutesFor(
  { id, minutes: base }: { readonly id: string; readonly minutes: number },
  edits: number,
): number {
  const written = isWritten(id);
  const next = Math.min(Math.max(edits - 1, 0), written ? edits : 9);
  const further = written ? 0 : Math.max(edits - 10, 0);
  const most = Math.max(base, written ? MAX_WRITING_MINUTES : MAX_MINUTES);
  const total = Math.min(base + (base * next) / 3 + (base * further) / 10, most);
  const step = total < 15 ? 1 : 5;
  return Math.max(1, Math.round(total / step) * step);
}
