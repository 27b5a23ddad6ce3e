import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';

export const hreflangInBody = pageCheck({
  id: 'hreflang-in-body',
  title: 'Language versions are named outside the head',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Language versions that count again.',
  timeToResult: '2-6 weeks',
  risk: 'Search engines ignore hreflang outside the head.',
  steps: ['Move the links into the head, and remove elements that end the head early.'],
  example: null,
  tags: ['hreflang', 'html'],
  source:
    'Google Search Central: Localized versions (https://developers.google.com/search/docs/specialty/international/localized-versions)',
  appliesTo: (page) => htmlPage(page) && (page.facts.alternates.length > 0 || page.facts.bodyAlternates !== undefined),
  run: (page) => {
    const { alternates, bodyAlternates = [], headBrokenBy } = page.facts;
    const counting = new Set(alternates.map(({ hreflang, href }) => `${hreflang} ${href}`));
    const ignored = bodyAlternates.filter(({ hreflang, href }) => !counting.has(`${hreflang} ${href}`));
    const [first] = ignored;
    if (first === undefined) return [];
    const many =
      ignored.length >= MOST_KEPT
        ? `${MOST_KEPT} or more language versions`
        : plural(ignored.length, 'language version');
    const why = headBrokenBy === null ? '' : ` because <${headBrokenBy}> ends the head early`;
    return [
      {
        evidence: seen(page, 'body link[hreflang]', `${first.hreflang} ${first.href}`),
        message: `Links to ${many} are in the body${why}, where search engines ignore them.`,
      },
    ];
  },
});

/** Facts keep no more of them. */
const MOST_KEPT = 5;
