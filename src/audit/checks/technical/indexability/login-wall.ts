import { hasStartPage, isStartPageComplete } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const loginWall = siteCheck({
  id: 'login-wall',
  title: 'Home page asks visitors to log in',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'medium',
  minutes: 120,
  gain: 'People who don’t know your site yet can find it.',
  timeToResult: '2-6 weeks',
  risk: 'Your home page has a password field and very little text. Search engines and AI assistants have no account, so there’s nothing for them to index or quote.',
  steps: [
    'If the site is only for people who already have an account, leave the page as it is.',
    'If not, show everyone a public home page that says what the site offers and who it’s for.',
    'Move the log-in form to its own page, and link to it from the header.',
    'Open the home page in a private window and make sure you can read it without logging in.',
  ],
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
        message: `The home page has a field for a password and ${plural(start.facts.bodyWordCount, 'word')} of text.`,
      },
    ];
  },
});
