import { hasStartPage, htmlPage, isStartPageComplete } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { profilesOf } from '../lookups/profiles.ts';
import { siteIndex } from '../lookups/siteIndex.ts';

export const socialProfilesMissing = siteCheck({
  id: 'social-profiles-missing',
  title: 'No links to social profiles',
  category: 'social',
  group: 'profiles',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Visitors, search engines and AI assistants can connect your site to your profiles.',
  timeToResult: '4-8 weeks',
  risk: 'Nothing on the home page connects the site to your profiles elsewhere, so search engines and assistants have to guess which ones are yours. Only the best-known networks are recognized.',
  steps: [
    'Link the profiles you really maintain, usually in the footer of the home page.',
    'List the same addresses under sameAs in the home page’s Organization markup.',
    'If you have no profiles, ignore this: one nobody maintains does no good.',
  ],
  example: { before: null, after: '"sameAs": ["YOUR PROFILE ADDRESS"]' },
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
