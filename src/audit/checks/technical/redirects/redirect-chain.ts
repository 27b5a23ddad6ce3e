import { answered } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { arePermanent } from '../../lookups/redirects.ts';
import { redirected } from '../../lookups/serverCode.ts';
import { pathAndQueryOf } from '../../lookups/siteIndex.ts';

export const redirectChain = answerCheck({
  id: 'redirect-chain',
  title: 'URL redirects more than once',
  category: 'technical',
  group: 'redirects',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Visitors and crawlers get to the page in a single step.',
  timeToResult: '1-3 weeks',
  risk: 'This URL redirects more than once before a page loads. Each extra redirect delays the page, and crawlers give up on long chains.',
  steps: [
    'In your CMS, your web host’s control panel, your CDN, or the server’s configuration, change the first redirect so that it goes straight to the final URL. If you can’t change any of these yourself, send this step to your host’s support team.',
    'Combine rules that run one after another, such as http to https, then www, then the slash at the end. Try the change on one URL before you apply it to all, because a wrong rule can make the site unreachable.',
    'Change your own links to the final URL.',
    'Open the Network tab in your browser’s developer tools, open the URL, click its entry, and make sure there’s one redirect, followed by status 200.',
  ],
  example: {
    before: '# Apache\nRedirect 301 /YOUR OLD PATH /YOUR MIDDLE PATH\nRedirect 301 /YOUR MIDDLE PATH /YOUR NEW PATH',
    after: '# Apache\nRedirect 301 /YOUR OLD PATH /YOUR NEW PATH\nRedirect 301 /YOUR MIDDLE PATH /YOUR NEW PATH',
  },
  tags: ['redirect'],
  source:
    'Google Search Central: HTTP status codes and network errors (https://developers.google.com/search/docs/crawling-indexing/http-network-errors)',
  appliesTo: answered,
  run: (page) => {
    const { hops, url, requestedUrl, status } = page.outcome;
    if (hops.length < 2) return [];
    const path = [...hops.map((hop) => hop.url), url].join(' → ');
    return [
      {
        evidence: seen(page, 'redirects', path),
        message: `${pathAndQueryOf(requestedUrl)} needs ${hops.length} redirects before it ends at ${url}.`,
        // Nobody is sent on for good to an error, or to where a visitor is sent only this time.
        snippet:
          requestedUrl === url || status === null || status >= 400 || !arePermanent(hops)
            ? null
            : redirected(requestedUrl, url, page.outcome),
      },
    ];
  },
});
