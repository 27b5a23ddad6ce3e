import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const canonicalInBody = pageCheck({
  id: 'canonical-in-body',
  title: 'Canonical tag sits outside the head',
  category: 'technical',
  group: 'canonical',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 20,
  gain: 'A canonical that counts again.',
  timeToResult: '2-4 weeks',
  risk: 'Search engines ignore canonicals outside the head.',
  steps: ['Move it into the head and remove elements that end the head early.'],
  example: null,
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
