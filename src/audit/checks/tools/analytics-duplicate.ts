import { htmlPage } from '../applies.ts';
import { type Fault, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { loadersOf } from '../lookups/trackers.ts';

type Loader = ReturnType<typeof loadersOf>[number];

/** No page has so many; more would be no help to anybody. */
const MOST_IDS = 100;

export const analyticsDuplicate = pageCheck({
  id: 'analytics-duplicate',
  title: 'Duplicate or retired analytics tag',
  category: 'tools',
  group: 'analytics',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'You can rely on your visitor numbers.',
  timeToResult: 'immediate',
  risk: 'The page has one analytics tag too many. If this report says that a tag is loaded twice, each visit may be counted twice. If it names an old Universal Analytics tag (UA-), that tag no longer counts anything.',
  steps: [
    'Search the theme, the plugins, and the tag manager for the ID that this report lists.',
    'If several places add the same tag, keep one and remove the tag from the others.',
    'If the ID starts with `UA-`, delete the tag, and set up Google Analytics 4 if you have no other tool.',
    'Open a page, open your analytics tool’s real-time report, and make sure your visit counts once.',
  ],
  example: {
    before:
      '<script async src="https://www.googletagmanager.com/gtag/js?id=YOUR MEASUREMENT ID"></script>\n<script async src="https://www.googletagmanager.com/gtag/js?id=YOUR MEASUREMENT ID"></script>',
    after: '<script async src="https://www.googletagmanager.com/gtag/js?id=YOUR MEASUREMENT ID"></script>',
  },
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
