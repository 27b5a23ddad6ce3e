import type { CauseView } from '../../../../src/http/contract/findings.ts';
import { count, grouped } from '../../../ui/text/wording.ts';

/** How far an issue reaches. */
export interface Reach {
  readonly text: string;
  /** Of the site, from 0 to 1; null if what it is a share of is not known. */
  readonly share: number | null;
}

/** `of`: pages of the audit; null where only some of them are shown, or one (`onOnePage`). */
export function reachOf(cause: CauseView, of: number | null, onOnePage: boolean): Reach {
  if (cause.wholeSite) return { text: 'Whole site', share: 1 };
  // Of what is joined to it, the number is known for the whole site only.
  if (onOnePage) return { text: count(cause.findings, 'finding'), share: null };
  if (of === null || of === 0) return { text: count(cause.pages, 'page'), share: null };
  // Some checks look at more than pages: none is found on more of them than there are.
  const all = Math.max(of, cause.pages);
  return { text: `${grouped(cause.pages)} of ${count(all, 'page')}`, share: cause.pages / all };
}
