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
  risk: 'In HTML, search engines accept a canonical tag only in the head, so they ignore this one.',
  steps: [
    'Move the canonical link into the head of the page.',
    'If your template already has it there, look above it for an element that doesn’t belong in the head, such as a div, an img, or an iframe. Browsers and crawlers end the head at that point.',
    'Move that element into the body.',
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
