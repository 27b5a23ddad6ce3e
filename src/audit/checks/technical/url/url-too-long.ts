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
  gain: 'Readable links get shared and clicked more.',
  timeToResult: '4-8 weeks',
  risk: 'Long addresses are cut in results and break when pasted.',
  steps: ['Shorten slugs for new pages; redirect only if worth it.'],
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
