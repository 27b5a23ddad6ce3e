import { movingScript } from '../../../facts/redirectStub.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';

export const jsRedirect = pageCheck({
  id: 'js-redirect',
  title: 'Page body is only a JavaScript redirect',
  category: 'technical',
  group: 'redirects',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Crawlers that run no scripts can reach the target.',
  timeToResult: '1-3 weeks',
  risk: 'Most AI crawlers do not execute scripts and end at an empty page.',
  steps: ['Redirect on the server.'],
  example: null,
  tags: ['redirect', 'javascript'],
  source:
    'Google Search Central: Redirects (https://developers.google.com/search/docs/crawling-indexing/301-redirects)',
  appliesTo: htmlPage,
  run: (page) => {
    const script = movingScript(page.facts);
    if (script === null) return [];
    return [
      {
        evidence: seen(page, script.selector, script.statement),
        message: `The page has ${plural(page.facts.bodyWordCount, 'word')} and moves visitors on by script.`,
      },
    ];
  },
});
