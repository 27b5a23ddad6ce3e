import type { CauseView } from '../../../../src/http/contract/findings.ts';
import { count } from '../../../ui/text/wording.ts';

type Reach = Pick<CauseView, 'wholeSite' | 'findings' | 'joined' | 'omitted' | 'pages'>;

/** How much of the site has an issue, in pages, or in places when there is only one page. */
export function reachText({ wholeSite, findings, joined, omitted, pages }: Reach, onOnePage = false): string {
  if (wholeSite) return 'Whole site';
  // What depends on it is no further place.
  const places = joined.reduce((left, other) => left - other.findings, findings) + omitted;
  return onOnePage || (pages === 1 && places > 1) ? count(places, 'place') : count(pages, 'page');
}
