import { hasCanonical } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalOf, sameAddress } from '../../lookups/canonicals.ts';
import { roleOf } from '../../lookups/roles.ts';
import { html } from '../../lookups/siteCode.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const canonicalToFirstPage = pageCheck({
  id: 'canonical-to-first-page',
  title: 'Later pages of a list name the first as their original',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  businessValue: 'What stands only on later pages can be found.',
  timeToResult: '2-6 weeks',
  why: 'The pages list different things, so search engines drop the later ones, and may never see what only they link to.',
  fix: 'Let each page of the list name itself.',
  codeExample: '<link rel="canonical" href="https://example.com/blog/page/2/">',
  tags: ['canonical', 'pagination'],
  source:
    'Google Search Central: Pagination (https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading)',
  appliesTo: (page, site) => hasCanonical(page) && roleOf(page, site).role === 'list-page',
  run: (page) => {
    const canonical = canonicalOf(page);
    if (canonical === null || canonical.url === null || sameAddress(canonical.url, page.outcome.url)) return [];
    const [own, named] = [new URL(page.outcome.url), new URL(canonical.url)];
    // Another page of the list, or another order of it, is no copy of this one; the first page has no number.
    if (own.origin !== named.origin || /\d/.test(named.pathname + named.search)) return [];
    return [
      {
        evidence: seen(page, canonical.place, canonical.href),
        message: `${pathOf(page.outcome.url)} names ${pathOf(canonical.url)} as its original, although it lists other things.`,
        code: `<link rel="canonical" href="${html(page.outcome.url)}">`,
      },
    ];
  },
});
