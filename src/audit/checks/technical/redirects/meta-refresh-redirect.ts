import { parseUrl } from '../../../../model/parseUrl.ts';
import { refreshesOf } from '../../../facts/redirectStub.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { answeredBy } from '../../lookups/snippets.ts';

export const metaRefreshRedirect = pageCheck({
  id: 'meta-refresh-redirect',
  title: 'Page redirects with a meta refresh',
  category: 'technical',
  group: 'redirects',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'A proper redirect passes authority and does not confuse visitors.',
  timeToResult: '1-3 weeks',
  risk: 'Meta refresh is slow, breaks the back button and is a weak signal.',
  steps: ['Replace it with a server-side 301.'],
  example: { before: null, after: 'return 301 https://example.com/new;' },
  tags: ['redirect', 'accessibility'],
  source:
    'axe-core rule meta-refresh (https://dequeuniversity.com/rules/axe/); Google Search Central: Redirects (https://developers.google.com/search/docs/crawling-indexing/301-redirects)',
  appliesTo: htmlPage,
  run: (page, site) => {
    const [refresh] = refreshesOf(page.facts);
    if (refresh === undefined) return [];
    const { content, delay, target } = refresh;
    const message =
      target === null
        ? `The page reloads itself after ${delay} seconds.`
        : `The page sends visitors on to ${target} by meta refresh after ${delay} seconds.`;
    const end = target === null ? null : (parseUrl(target, page.outcome.url)?.href ?? null);
    const isThere = end !== null && page.from !== 'start' && siteIndex(site).answerOf(end)?.outcome.status === 200;
    return [
      {
        evidence: seen(page, 'meta[http-equiv=refresh]', content),
        message,
        snippet: isThere ? answeredBy(page.outcome.url, `return 301 ${end};`) : null,
      },
    ];
  },
});
