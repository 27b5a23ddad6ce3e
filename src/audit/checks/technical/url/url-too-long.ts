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
  risk: 'This URL is very long. Search results cut off long URLs, and some break when people copy or share them.',
  steps: [
    'If the URL works everywhere, keep it, and make only the URLs of new pages shorter: a few words that say what the page is about, without IDs, dates, folders, and parameters that they don’t need.',
    'If the URL is so long that it fails, shorten it in your CMS, and set up a 301 redirect from the old URL.',
    'If you kept the URL, make sure the URLs of new pages have at most 115 characters. If you shortened it, open the old URL and make sure you land on the page.',
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
