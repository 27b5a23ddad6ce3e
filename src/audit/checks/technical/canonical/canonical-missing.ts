import { withoutTracking } from '../../../crawl/url.ts';
import { indexableContent } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { canonicalsOf } from '../../lookups/canonicals.ts';
import { pagesSaying } from '../../lookups/siteFacts.ts';
import { canonicalSet } from '../../lookups/snippets.ts';

export const canonicalMissing = pageCheck({
  id: 'canonical-missing',
  title: 'Page has no canonical URL',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Links to every version of the page count toward the URL you choose.',
  timeToResult: '2-4 weeks',
  risk: 'The page has no canonical, the tag that names the URL to index. Search engines decide for themselves which version to index, and that may be one with tracking or filter parameters.',
  steps: [
    'Turn on canonical URLs in your SEO plugin or CMS, so that every page, new ones included, names its own address.',
    'If you edit a template that several pages share, don’t write a fixed address there: use your CMS’s placeholder for the address of the current page. On a page with an HTML file of its own, add `<link rel="canonical" href="YOUR PAGE ADDRESS">` to the `<head>`, with the full URL, starting with https:// and without tracking parameters.',
    'View the source of this page and of two others, and make sure each has the tag once, with its own URL.',
  ],
  example: { before: null, after: '<link rel="canonical" href="YOUR PAGE ADDRESS">' },
  tags: ['canonical'],
  source:
    'Google Search Central: Consolidate duplicate URLs (https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls)',
  hint: true,
  appliesTo: indexableContent,
  run: (page, site) => {
    if (canonicalsOf(page).length > 0) return [];
    return [
      {
        evidence: seen(page, 'head', 'no link[rel=canonical]'),
        message: 'The page names no canonical address.',
        // The file of a folder is its second address, and of pages with one text, the owner names the original.
        snippet:
          isIndexFile(page.outcome.url) || pagesSaying(page.facts.textHash, site) > 1
            ? null
            : canonicalSet(page, site, null, withoutTracking(page.outcome.url)),
      },
    ];
  },
});

const isIndexFile = (url: string): boolean =>
  /\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i.test(new URL(url).pathname);
