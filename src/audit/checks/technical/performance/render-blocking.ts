import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const renderBlocking = pageCheck({
  id: 'render-blocking',
  title: 'Many files block the first paint',
  category: 'technical',
  group: 'performance',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 90,
  gain: 'Visitors see content sooner.',
  timeToResult: '2-4 weeks',
  risk: 'The browser waits for each of these files.',
  steps: ['Add defer to scripts, merge or inline critical CSS.'],
  example: { before: null, after: '<script src="/app.js" defer></script>' },
  tags: ['speed', 'javascript'],
  source: 'Lighthouse: render-blocking-insight',
  appliesTo: htmlPage,
  run: (page) => {
    const blocking = page.facts.resources.filter((resource) => resource.blocking);
    if (blocking.length <= THRESHOLDS.blockingFiles) return [];
    return [
      {
        evidence: seen(page, 'head', blocking.map((resource) => pathOf(resource.url)).join(', ')),
        message: `${blocking.length} scripts and stylesheets in the head must load before anything shows; ${THRESHOLDS.blockingFiles} is the limit.`,
      },
    ];
  },
});
