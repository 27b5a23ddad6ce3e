import { hasStartPage, isStartPageComplete } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const loginWall = siteCheck({
  id: 'login-wall',
  title: 'Start page asks for a login',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'medium',
  minutes: 120,
  gain: 'People who do not know the site yet can find it.',
  timeToResult: '2-6 weeks',
  risk: 'Search engines and assistants have no account: behind a login there is nothing to list or to quote.',
  steps: ['Show everybody a page that says what the site is, and ask for the login on a page of its own.'],
  example: null,
  tags: ['indexing', 'login'],
  source:
    'Google Search Central: How Search works (https://developers.google.com/search/docs/fundamentals/how-search-works)',
  appliesTo: hasStartPage,
  gathered: isStartPageComplete,
  run: (site) => {
    const { start } = siteIndex(site);
    if (start?.facts == null || !start.facts.passwordField || start.facts.bodyWordCount >= THRESHOLDS.loginWords)
      return [];
    return [
      {
        evidence: seen(start, 'input[type=password]', plural(start.facts.bodyWordCount, 'word')),
        message: `The start page has a field for a password and ${plural(start.facts.bodyWordCount, 'word')} of text.`,
      },
    ];
  },
});
