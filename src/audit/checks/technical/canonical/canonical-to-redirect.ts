import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalTarget, hasForeignCanonical } from '../../lookups/canonicals.ts';
import { arePermanent } from '../../lookups/redirects.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalToRedirect = pageCheck({
  id: 'canonical-to-redirect',
  title: 'Canonical points to a redirect',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Canonical and redirect agree on one URL, so search engines can settle on it sooner.',
  timeToResult: '2-4 weeks',
  risk: 'This page’s canonical names a URL that redirects to another one, so search engines get two different answers about which URL counts.',
  steps: [
    'Open the URL in `<link rel="canonical" href="YOUR PAGE ADDRESS">`. If it ends on this page, or on the original that this page is a copy of, copy the final URL from the address bar into your SEO plugin’s settings for this page. If it ends anywhere else, such as on the home page or an error, enter this page’s own URL instead.',
    'If a template builds the canonical, don’t type a URL into it. Correct the part that differs, such as http instead of https, the www, or the slash at the end.',
    'Open the URL in the new canonical in your browser and make sure the address bar shows exactly the same URL.',
  ],
  example: {
    before: '<link rel="canonical" href="http://YOUR HOST/YOUR PATH">',
    after: '<link rel="canonical" href="https://YOUR HOST/YOUR PATH">',
  },
  tags: ['canonical', 'redirect'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  appliesTo: hasForeignCanonical,
  gathered: (page, site) => (canonicalTarget(page, site)?.answer.outcome.status ?? null) !== null,
  run: (page, site) => {
    const target = canonicalTarget(page, site);
    if (target === null || target.answer.redirects === 0) return [];
    const end = target.answer.outcome.url;
    return [
      {
        evidence: seen(page, target.canonical.place, target.canonical.href),
        message: `The canonical address ${target.canonical.href} redirects to ${end}.`,
        snippet: arePermanent(target.answer.outcome.hops)
          ? canonicalSet(page, site, target.canonical.place, end)
          : null,
      },
    ];
  },
});
