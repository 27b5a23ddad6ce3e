import { contentPage, isComplete } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const mainLandmarkMissing = pageCheck({
  id: 'main-landmark-missing',
  title: 'Main content is not marked up',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Agents and readers reach the content directly.',
  timeToResult: '2-4 weeks',
  risk: 'Tools cannot tell content from navigation.',
  steps: ['Wrap the content in a main element.'],
  example: { before: null, after: '<main>...</main>' },
  tags: ['ai', 'accessibility'],
  source: 'axe-core rule landmark-one-main (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'landmark-one-main',
  appliesTo: contentPage,
  gathered: isComplete,
  run: (page) => {
    const { main } = page.facts.landmarks;
    if (main === 1) return [];
    return [
      {
        evidence: seen(page, 'body', `${main} main elements`),
        message:
          main === 0
            ? 'The page has no main element that holds its content.'
            : `The page has ${main} main elements instead of one.`,
        hint: main > 1,
      },
    ];
  },
});
