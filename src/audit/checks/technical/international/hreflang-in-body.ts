import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';

export const hreflangInBody = pageCheck({
  id: 'hreflang-in-body',
  title: 'hreflang links are outside the head',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Search engines can see which pages are translations of one another.',
  timeToResult: '2-6 weeks',
  risk: 'Search engines ignore hreflang links in the body, so they don’t connect these language versions.',
  steps: [
    'Move the hreflang links into the head of the page.',
    'If your template already has them there, look above them for an element that doesn’t belong in the head, such as a div or an img, and move it into the body.',
  ],
  example: {
    before: '<body>\n  <link rel="alternate" hreflang="de" href="YOUR GERMAN PAGE">\n</body>',
    after: '<head>\n  <link rel="alternate" hreflang="de" href="YOUR GERMAN PAGE">\n</head>',
  },
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
