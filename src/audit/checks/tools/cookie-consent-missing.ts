import { arePagesComplete, hasStartPage } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { firstPage, somePage } from '../lookups/pages.ts';
import { hasConsentTool, trackerOn } from '../lookups/trackers.ts';

export const cookieConsentMissing = siteCheck({
  id: 'cookie-consent-missing',
  title: 'Tracking without a visible consent tool',
  category: 'tools',
  group: 'compliance',
  impact: 'low',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Reduces the risk of complaints in the EU and UK.',
  timeToResult: 'immediate',
  risk: 'Tags may fire before consent.',
  steps: ['Use a consent tool and block tags by default.'],
  example: { before: null, after: "gtag('consent','default',{ad_storage:'denied',analytics_storage:'denied'});" },
  tags: ['compliance', 'analytics'],
  source: 'Google: Consent Mode (https://developers.google.com/tag-platform/security/guides/consent)',
  hint: true,
  looksIn: ['addresses of scripts', 'addresses of stylesheets', 'inline scripts'],
  appliesTo: function* (site) {
    return hasStartPage(site) && (yield* somePage(site, ({ facts }) => trackerOn(facts) !== null));
  },
  gathered: arePagesComplete,
  run: function* (site) {
    if (yield* somePage(site, ({ facts }) => hasConsentTool(facts))) return [];
    const page = yield* firstPage(site, ({ facts }) => trackerOn(facts) !== null);
    const tracker = page === null ? null : trackerOn(page.facts);
    if (page === null || tracker === null) return [];
    return [
      {
        evidence: seen(page, tracker.selector, tracker.name),
        message: `${tracker.name} is loaded, and no known consent tool or Consent Mode default was found. This is no legal advice.`,
      },
    ];
  },
});
