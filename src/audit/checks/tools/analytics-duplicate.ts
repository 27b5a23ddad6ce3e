import { htmlPage } from '../applies.ts';
import { type Fault, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { loadersOf } from '../lookups/trackers.ts';

type Loader = ReturnType<typeof loadersOf>[number];

/** No page has so many; more would be no help to anybody. */
const MOST_IDS = 100;

export const analyticsDuplicate = pageCheck({
  id: 'analytics-duplicate',
  title: 'The same statistics tag loads twice',
  category: 'tools',
  group: 'analytics',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Correct numbers.',
  timeToResult: 'immediate',
  risk: 'Visits are counted twice or not at all.',
  steps: ['Keep one loader and remove UA- ids.'],
  example: null,
  tags: ['analytics'],
  source: 'Google Analytics help: Universal Analytics sunset (https://support.google.com/analytics/answer/11583528)',
  appliesTo: (page) => htmlPage(page) && loadersOf(page.facts).length > 0,
  run: (page) => {
    const named = new Map<string, Loader[]>();
    for (const loader of loadersOf(page.facts)) {
      const known = named.get(loader.id);
      if (known) known.push(loader);
      else if (named.size < MOST_IDS) named.set(loader.id, [loader]);
    }
    return [...named].flatMap(([id, loaders]): Fault[] => {
      const same = loaders.filter(({ loads }) => loads);
      const { selector } = same[1] ?? loaders[0] ?? { selector: 'script' };
      if (id.startsWith('UA-'))
        return [
          {
            evidence: seen(page, selector, id),
            message: `${id} belongs to Universal Analytics, which stopped counting in 2023.`,
          },
        ];
      return same.length < 2
        ? []
        : [{ evidence: seen(page, selector, id), message: `${id} is loaded ${same.length} times on this page.` }];
    });
  },
});
