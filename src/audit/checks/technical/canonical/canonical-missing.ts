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
    'In your SEO plugin’s settings or in the template, add `<link rel="canonical" href="YOUR PAGE ADDRESS">` to the `<head>` of every page that should be indexed, so that new pages get one too.',
    'Make sure each page names its own full URL, starting with https:// and without tracking parameters.',
    'View the page source and make sure the tag appears there once, with the URL of this page.',
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
