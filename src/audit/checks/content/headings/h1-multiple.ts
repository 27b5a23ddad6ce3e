import type { Snippet } from '../../../../model/findings.ts';
import type { Crawl } from '../../../crawl/site.ts';
import type { HeadingFact } from '../../../facts/pageFacts.ts';
import { contentPage } from '../../applies.ts';
import { type HtmlPage, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { ownHeading } from '../../lookups/siteFacts.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';

export const h1Multiple = pageCheck({
  id: 'h1-multiple',
  title: 'Several main headings',
  category: 'content',
  group: 'headings',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'One heading names the subject, and the others form a clear outline below it.',
  timeToResult: '2-4 weeks',
  risk: 'The page has several main headings (h1), so it’s less clear which one names its subject. HTML allows several and search engines cope with them, so this is a matter of tidiness.',
  steps: [
    'In the page editor or the template, keep the `<h1>` that names the page’s subject.',
    'Turn the others into `<h2>`, or into the level that fits their place in the outline. If they should keep their size, set it in CSS.',
    'If the logo or site name in the header is an `<h1>`, change it to a `<div>`.',
    'Search the Elements tab in your browser’s developer tools for `<h1` and make sure it appears once.',
  ],
  example: {
    before: '<h1>YOUR PAGE SUBJECT</h1>\n<h1>YOUR SECTION</h1>',
    after: '<h1>YOUR PAGE SUBJECT</h1>\n<h2>YOUR SECTION</h2>',
  },
  tags: ['headings'],
  source: 'Screaming Frog SEO Spider issue library: H1: Multiple (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  hint: true,
  appliesTo: contentPage,
  run: (page, site) => {
    const headings = page.facts.headings.filter(
      ({ level, text, hidden, byRole }) => level === 1 && text !== '' && !hidden && byRole !== true,
    );
    const [first, second] = headings;
    if (first === undefined || second === undefined) return [];
    return [
      {
        evidence: seen(page, second.selector, headings.map(({ text }) => text).join(' | ')),
        message: `The page has ${headings.length} main headings.`,
        snippet: bannerDemoted(page, headings, site),
      },
    ];
  },
});

/** Of two, the one that other pages have, too: it names the site, not the page. */
function bannerDemoted(page: HtmlPage, headings: readonly HeadingFact[], site: Crawl): Snippet | null {
  const own = ownHeading(page, site);
  const banners = headings.filter(({ text }) => !text.startsWith(own ?? ''));
  const [banner] = banners;
  return own === null || banner === undefined || headings.length !== 2 || banners.length !== 1
    ? null
    : inPlaceOf(banner.selector, '<div>');
}
