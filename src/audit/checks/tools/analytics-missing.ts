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
  gain: 'You see which pages bring visitors and whether your changes work.',
  timeToResult: 'immediate',
  risk: 'The site doesn’t seem to use analytics, and without it, you can’t measure results. We only recognize well-known tools, so yours may have been missed.',
  steps: [
    'If you already measure visits, on the server or with a lesser-known tool, leave this as it is.',
    'Otherwise choose one tool, such as Google Analytics, Matomo, or Plausible.',
    'Install its plugin, or add its script to the template all pages share.',
    'If the law asks for consent (in the EU, it often does), use a cookie consent plugin that loads the script only after visitors agree.',
    'Open a page with your ad blocker off, agree if you’re asked, open the tool’s real-time report, and make sure your visit appears.',
  ],
  // No code is written: which service counts, and under which id, only the owner knows.
  example: { before: null, after: '<script defer src="YOUR ANALYTICS SCRIPT ADDRESS"></script>' },
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
