import type { Crawl } from '../../../crawl/site.ts';
import { withoutTracking } from '../../../crawl/url.ts';
import { hasCanonical } from '../../applies.ts';
import { type HtmlPage, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf, sameAddress } from '../../lookups/canonicals.ts';
import { twinDeclared } from '../../lookups/declared.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalToRoot = pageCheck({
  id: 'canonical-to-root',
  title: 'Inner page’s canonical points to the home page',
  category: 'technical',
  group: 'canonical',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Pages that were folded into the home page by mistake can return to search.',
  timeToResult: '2-4 weeks',
  risk: 'This page’s canonical names the home page. It tells search engines to index the home page instead, so this page can drop out of search.',
  steps: [
    'In your SEO plugin’s settings or in the template, change the canonical to the page’s own full URL: `<link rel="canonical" href="YOUR PAGE ADDRESS">`.',
    'If many pages have this fault, search the template for a canonical with the fixed address of the home page, and replace that address with the variable for the page’s own URL.',
    'View the page source of two or three inner pages and make sure each canonical names the URL of its own page.',
  ],
  example: {
    before: '<link rel="canonical" href="https://YOUR HOST/">',
    after: '<link rel="canonical" href="https://YOUR HOST/YOUR PATH">',
  },
  tags: ['canonical'],
  source: 'Lighthouse: canonical',
  lighthouse: 'canonical',
  appliesTo: hasCanonical,
  run: (page, site) => {
    const canonical = canonicalOf(page);
    if (canonical === null || canonical.url === null) return [];
    const [named, own] = [new URL(canonical.url), new URL(page.outcome.url)];
    if (named.origin !== own.origin || named.pathname !== '/' || own.pathname === '/' || isRoot(page, site)) return [];
    if (isTwinOf(canonical.url, page, site)) return [];
    return [
      {
        evidence: seen(page, canonical.place, canonical.href),
        message: `${own.pathname + own.search} names the home page as its original.`,
        snippet: canonicalSet(page, site, canonical.place, withoutTracking(page.outcome.url)),
      },
    ];
  },
});

/** The start page under another address: its file, or a page with the same text. */
function isRoot({ outcome, facts }: HtmlPage, site: Crawl): boolean {
  const { origin, pathname, search } = new URL(outcome.url);
  if (search === '' && /^\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i.test(pathname)) return true;
  const root = siteIndex(site).answerOf(`${origin}/`)?.page?.facts;
  return facts.textHash !== '' && root?.textHash === facts.textHash;
}

/** The start page declares it as its AMP, mobile, or print version. */
function isTwinOf(root: string, page: HtmlPage, site: Crawl): boolean {
  const declared = twinDeclared(page, site);
  return declared !== null && sameAddress(declared.by.outcome.url, root);
}
