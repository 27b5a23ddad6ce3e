import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const renderBlocking = pageCheck({
  id: 'render-blocking',
  title: 'Too many render-blocking files',
  category: 'technical',
  group: 'performance',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 90,
  gain: 'Visitors see the page sooner.',
  timeToResult: '2-4 weeks',
  risk: 'Many scripts and stylesheets in the head hold up this page. The browser shows nothing until it has loaded all of them.',
  steps: [
    'In the template or a performance plugin, add `defer` to the scripts in the `<head>`, or `async` to those that nothing else depends on, such as analytics.',
    'Combine stylesheets, remove unused ones, and put the few rules for the top of the page into the HTML.',
    'Load stylesheets for print or other special cases with a `media` attribute, for example `media="print"`.',
    'View the page source and make sure at most 6 scripts and stylesheets in the `<head>` are left without `defer`, `async`, or a special `media`. Click through the page, too, and make sure it works, because deferred scripts run later than before.',
  ],
  // No code is written: which scripts may wait, only a test of the page tells.
  example: {
    before: '<script src="YOUR SCRIPT ADDRESS"></script>',
    after: '<script src="YOUR SCRIPT ADDRESS" defer></script>',
  },
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
