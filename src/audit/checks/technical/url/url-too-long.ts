import { isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, seen } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const urlTooLong = pageCheck({
  id: 'url-too-long',
  title: 'URL is very long',
  category: 'technical',
  group: 'url',
  impact: 'low',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Links to your new pages will be short enough to read and share.',
  timeToResult: '4-8 weeks',
  risk: 'Search results cut off long URLs, and some break when people copy or share them.',
  steps: [
    'For new pages, use a few words that say what the page is about.',
    'Leave out IDs, dates, folders, and parameters that the page doesn’t need.',
    'Keep existing URLs as they are, unless one is so long that it fails. Then shorten it, and redirect the old URL with status 301.',
  ],
  example: null,
  tags: ['url'],
  source:
    'Screaming Frog SEO Spider issue library: URL: Over 115 characters (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: isIndexable,
  run: (page) => {
    const { url } = page.outcome;
    if (url.length <= THRESHOLDS.urlLength) return [];
    return [
      {
        evidence: seen(page, 'url', url),
        message: `The address has ${count(url.length)} characters; up to ${THRESHOLDS.urlLength} read well.`,
        ...(url.length > THRESHOLDS.urlLengthHard ? { impact: 'high' as const } : {}),
      },
    ];
  },
});
