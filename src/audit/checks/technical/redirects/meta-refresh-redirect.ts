import { refreshesOf } from '../../../facts/redirectStub.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const metaRefreshRedirect = pageCheck({
  id: 'meta-refresh-redirect',
  title: 'Page redirects or reloads with a meta refresh',
  category: 'technical',
  group: 'redirects',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Visitors stay in control, and search engines get a clear redirect where a page has moved.',
  timeToResult: '1-3 weeks',
  risk: 'The page has a meta refresh tag. If it reloads the page, it can confuse people who use screen readers. If it redirects after a delay, search engines treat that as a temporary redirect.',
  steps: [
    'Find the tag `<meta http-equiv="refresh">` in the template or the plugin that adds it.',
    'If the page has moved, remove the tag, and set up a 301 redirect to the new URL in your CMS, your web host’s control panel, or the server’s configuration. If you can’t change any of these yourself, send this step to your host’s support team.',
    'If the page reloads to show new content, remove the tag, and update that content with a script or let visitors reload the page.',
    'Open the Network tab in your browser’s developer tools, open the URL, click its entry, and make sure it returns a 301 status. If you kept the page, make sure it stays still and its source has no meta refresh.',
  ],
  // No code is written: with a redirect, the links that lead to the page have to change, too.
  example: {
    before: '<meta http-equiv="refresh" content="5; url=YOUR NEW ADDRESS">',
    after: 'HTTP/1.1 301 Moved Permanently\nLocation: YOUR NEW ADDRESS',
  },
  tags: ['redirect', 'accessibility'],
  source:
    'axe-core rule meta-refresh (https://dequeuniversity.com/rules/axe/); Google Search Central: Redirects (https://developers.google.com/search/docs/crawling-indexing/301-redirects)',
  appliesTo: htmlPage,
  run: (page) => {
    const [refresh] = refreshesOf(page.facts);
    if (refresh === undefined) return [];
    const { content, delay, target } = refresh;
    const message =
      target === null
        ? `The page reloads itself after ${delay} seconds.`
        : `The page sends visitors on to ${target} by meta refresh after ${delay} seconds.`;
    return [
      {
        evidence: seen(page, 'meta[http-equiv=refresh]', content),
        message,
      },
    ];
  },
});
