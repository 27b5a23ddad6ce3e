import type { CauseView } from '../../../../src/http/contract/findings.ts';
import { count } from '../../../ui/text/wording.ts';

/** How much of the site has an issue, in pages, or in places when there is only one page. */
export function reachText(
  { wholeSite, findings, omitted, pages }: Pick<CauseView, 'wholeSite' | 'findings' | 'omitted' | 'pages'>,
  onOnePage = false,
): string {
  if (wholeSite) return 'Whole site';
  const places = findings + omitted;
  return onOnePage || (pages === 1 && places > 1) ? count(places, 'place') : count(pages, 'page');
}
