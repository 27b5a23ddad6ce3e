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
  gain: 'Visitors decide before they’re tracked, and the risk of privacy complaints drops.',
  timeToResult: 'immediate',
  risk: 'The site loads tracking tags, but we found no consent tool, so they may run before visitors agree, which is often against privacy law in places like the EU and the UK. We only recognize well-known consent tools, so yours may have been missed.',
  steps: [
    'Open the site in a private window. If a consent banner appears and the Application or Storage tab in your browser’s developer tools shows no tracking cookies (such as `_ga` or `_fbp`) before you agree, you have nothing to change.',
    'If no law requires consent where your visitors live, leave the site as it is. Each country’s data protection authority explains it online.',
    'Otherwise install a consent tool and set it to block tracking tags until visitors agree. Test forms and videos afterward: blocking too much breaks them.',
    'If you use Google tags, set the Consent Mode defaults `ad_storage`, `ad_user_data`, `ad_personalization`, and `analytics_storage` to `denied` in the `<head>`, above the Google tag.',
    'Open the site in a new private window and make sure no tracking cookies are set before you agree.',
  ],
  example: {
    before: null,
    after:
      "window.dataLayer = window.dataLayer || [];\nfunction gtag() {\n  dataLayer.push(arguments);\n}\ngtag('consent', 'default', {\n  ad_storage: 'denied',\n  ad_user_data: 'denied',\n  ad_personalization: 'denied',\n  analytics_storage: 'denied',\n});",
  },
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
        message: `${tracker.name} is loaded, and no known consent tool or Consent Mode default was found. This isn’t legal advice.`,
      },
    ];
  },
});
