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
  gain: 'Visitors, search engines, and AI assistants can connect your site to your profiles.',
  timeToResult: '4-8 weeks',
  risk: 'The home page doesn’t link to any social profile, so search engines and AI assistants have to guess which profiles are yours. We only recognize the best-known networks, so some links may have been missed.',
  steps: [
    'If you have no profiles, leave this as it is: a profile nobody maintains does no good.',
    'Otherwise link the profiles you really maintain, usually in the footer menu or template.',
    'Add the same URLs to the Organization markup (JSON-LD) of the home page, in your SEO plugin’s settings or in the template: `"sameAs": ["YOUR PROFILE ADDRESS"]`.',
    'Open the home page, click each link, and make sure the right profile opens.',
  ],
  // No code is written: only the owner knows the profiles.
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
        message: 'The home page names no profile of the organization on another site.',
      },
    ];
  },
});
