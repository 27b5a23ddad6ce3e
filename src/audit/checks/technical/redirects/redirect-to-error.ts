import { isTurnedAway } from '../../../crawl/outcome.ts';
import { answered } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { pathAndQueryOf } from '../../lookups/siteIndex.ts';

export const redirectToError = answerCheck({
  id: 'redirect-to-error',
  title: 'Redirect ends on an error page',
  category: 'technical',
  group: 'redirects',
  impact: 'high',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Anyone who follows a link to the old URL lands on a page that works.',
  timeToResult: '1-2 weeks',
  risk: 'This URL redirects to a page that returns an error. Visitors don’t find what they came for, and links to the old URL lead nowhere.',
  steps: [
    'In your CMS, your web host’s control panel, or the server’s configuration (or with your host’s support team), find the redirect that this report shows.',
    'If the page it redirects to should work, restore or repair that page.',
    'If that page has moved, or another page covers the same subject, change the redirect to the right URL.',
    'If no page covers the subject anymore, remove the redirect and let the old URL return a 404 or 410 status. Don’t send visitors to the home page.',
    'Open the Network tab in the developer tools of a private window (browsers remember redirects), open the old URL, and look at the entries at the top of the list: the redirects come first, then the page they lead to. Make sure that page’s status is 200. If you removed the redirect, make sure the old URL itself returns 404 or 410.',
  ],
  example: null,
  tags: ['redirect', 'broken'],
  source:
    'Screaming Frog SEO Spider issue library: Response codes: Redirect target 4xx (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: (page) => answered(page) && page.outcome.hops.length > 0,
  gathered: (page) => !isTurnedAway(page.outcome),
  run: (page) => {
    const { status, url, requestedUrl } = page.outcome;
    if (status === null || status < 400) return [];
    return [
      {
        evidence: seen(page, 'redirects', `${status} ${url}`),
        message: `${pathAndQueryOf(requestedUrl)} redirects to ${url}, which answers with status ${status}.`,
      },
    ];
  },
});
