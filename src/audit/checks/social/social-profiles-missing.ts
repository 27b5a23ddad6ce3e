import { hasStartPage, htmlPage, isStartPageComplete } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { profilesOf } from '../lookups/profiles.ts';
import { siteIndex } from '../lookups/siteIndex.ts';

export const socialProfilesMissing = siteCheck({
  id: 'social-profiles-missing',
  title: 'No links to company profiles',
  category: 'social',
  group: 'profiles',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Assistants can connect the brand to known sources.',
  timeToResult: '4-8 weeks',
  risk: 'The brand cannot be confirmed elsewhere.',
  steps: ['Link profiles and list them in sameAs.'],
  example: { before: null, after: '"sameAs":["https://www.linkedin.com/company/example"]' },
  tags: ['profiles', 'ai'],
  source:
    'Google Search Central: Organization structured data (https://developers.google.com/search/docs/appearance/structured-data/organization)',
  looksIn: ['links', 'sameAs', 'sameAs in a @graph'],
  appliesTo: hasStartPage,
  gathered: isStartPageComplete,
  run: (site) => {
    const { start } = siteIndex(site);
    if (start === null || !htmlPage(start) || profilesOf(start).length > 0) return [];
    return [
      {
        evidence: seen(start, 'links and sameAs', 'none'),
        message: 'The start page names no profile of the organization on another site.',
      },
    ];
  },
});
