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
  risk: 'The page’s hreflang links are in the body. Search engines ignore them there, so they don’t connect these language versions.',
  steps: [
    'Search your theme’s or site’s templates for `hreflang`. If none has it, your SEO or translation plugin writes the links, such as `<link rel="alternate" hreflang="de" href="YOUR GERMAN PAGE">`.',
    'If a template has them in the `<body>`, move them into the `<head>`.',
    'If they’re already in the `<head>`, or a plugin writes them, find the element above them that doesn’t belong in the head, for example a div or an img, and move it into the `<body>`. Browsers and crawlers end the head there.',
    'Open the Elements tab in your browser’s developer tools and make sure the hreflang links are inside `<head>`.',
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
