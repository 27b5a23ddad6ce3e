import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const canonicalInBody = pageCheck({
  id: 'canonical-in-body',
  title: 'Canonical tag is outside the head',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 20,
  gain: 'Search engines will see your canonical and can act on it.',
  timeToResult: '2-4 weeks',
  risk: 'The page’s canonical tag is in the body. Search engines accept it only in the head, so they ignore this one.',
  steps: [
    'Search your theme’s or site’s templates for `rel="canonical"`. If none has it, your SEO plugin writes the tag `<link rel="canonical" href="YOUR PAGE ADDRESS">`.',
    'If the template has the tag in the `<body>`, move it into the `<head>`.',
    'If the tag is already in the `<head>` there, or a plugin writes it, find the element above it that doesn’t belong in the head, such as a div, img, or iframe, and move it into the `<body>`. Browsers and crawlers end the head at that point.',
    'Open the Elements tab in your browser’s developer tools and make sure the canonical tag is inside `<head>`.',
  ],
  example: {
    before: '<body>\n  <link rel="canonical" href="YOUR PAGE ADDRESS">\n</body>',
    after: '<head>\n  <link rel="canonical" href="YOUR PAGE ADDRESS">\n</head>',
  },
  tags: ['canonical', 'html'],
  source:
    'Screaming Frog SEO Spider issue library: Canonicals: Outside head (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: (page) => htmlPage(page) && page.facts.canonicals.length > 0,
  run: (page) => {
    const [outside] = page.facts.canonicals.filter((canonical) => !canonical.inHead);
    if (outside === undefined || page.facts.canonicals.some((canonical) => canonical.inHead)) return [];
    const why = page.facts.headBrokenBy === null ? '' : ` because <${page.facts.headBrokenBy}> ends the head early`;
    return [
      {
        evidence: seen(page, 'body link[rel=canonical]', outside.href),
        message: `The canonical link is in the body${why}, where it does not count.`,
      },
    ];
  },
});
