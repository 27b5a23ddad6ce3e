import { arePagesComplete, hasStartPage } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { plural, seen } from '../evidence.ts';
import { somePage } from '../lookups/pages.ts';
import { siteIndex } from '../lookups/siteIndex.ts';

export const analyticsMissing = siteCheck({
  id: 'analytics-missing',
  title: 'No analytics detected',
  category: 'tools',
  group: 'analytics',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Without numbers no change can be judged.',
  timeToResult: 'immediate',
  risk: 'You cannot tell what works.',
  steps: ['Install one tool with consent handling.'],
  example: {
    before: null,
    after: '<script defer data-domain="example.com" src="https://plausible.io/js/script.js"></script>',
  },
  tags: ['analytics'],
  source: 'Known script hosts (Wappalyzer-style detection)',
  looksIn: ['addresses of scripts', 'preloaded files', 'inline scripts'],
  appliesTo: hasStartPage,
  gathered: arePagesComplete,
  run: function* (site) {
    const { htmlPages, start } = siteIndex(site);
    const isTracked = yield* somePage(
      site,
      ({ facts }) =>
        facts.resources.some(({ kind, url }) => (kind === 'script' || kind === 'preload') && ANALYTICS.test(url)) ||
        facts.inlineScripts.some(({ text }) => ANALYTICS_CODE.test(text)),
    );
    if (start === null || isTracked) return [];
    return [
      {
        evidence: seen(start, 'script', `${plural(htmlPages.length, 'page')} looked at`),
        message: 'No known analytics script was found. Server-side tracking can’t be detected from outside.',
      },
    ];
  },
});

const ANALYTICS =
  /googletagmanager\.com|google-analytics\.com|matomo|piwik|plausible\.io|\/js\/script(?:\.[\w-]{1,20})*\.js\?.{0,200}plausible|usefathom\.com|umami|clarity\.ms|posthog|adobedtm\.com|omtrdc\.net|cloudflareinsights\.com|simpleanalytics|goatcounter|hotjar|segment\.com\/analytics|statcounter|mixpanel|amplitude\.com|heap-api|etracker|econda/i;
const ANALYTICS_CODE =
  /\bgtag\(|googletagmanager\.com|_paq\.push|google-analytics\.com|clarity\.ms|posthog\.init|plausible|\bfathom\b|umami|goatcounter/i;
