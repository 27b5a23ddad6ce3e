import { htmlPage } from '../applies.ts';
import type { PageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const viewportBlocksZoom: PageCheck = {
  id: 'viewport-blocks-zoom',
  scope: 'page',
  title: 'Page forbids zooming',
  category: 'technical',
  group: 'mobile',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  businessValue: 'Readable for everyone.',
  timeToResult: 'immediate',
  why: 'People with weak sight cannot enlarge text.',
  fix: 'Remove these values.',
  codeExample: null,
  tags: ['mobile', 'accessibility'],
  source: 'axe-core rule meta-viewport (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'meta-viewport',
  hint: false,
  appliesTo: (page) => htmlPage(page) && page.facts.metas.some((meta) => meta.name === 'viewport'),
  run: (page) => {
    const viewport = page.facts.metas.find((meta) => meta.name === 'viewport')?.content ?? '';
    const scale = Number.parseFloat(/maximum-scale\s*=\s*([\d.]+)/i.exec(viewport)?.[1] ?? '');
    if (!/user-scalable\s*=\s*(?:no|0)(?![\w.])/i.test(viewport) && !(scale < THRESHOLDS.zoomMin)) return [];
    return [
      {
        evidence: seen(page, 'head > meta[name=viewport]', viewport),
        message: `The viewport "${viewport}" keeps visitors from zooming.`,
        code: '<meta name="viewport" content="width=device-width, initial-scale=1">',
      },
    ];
  },
};
