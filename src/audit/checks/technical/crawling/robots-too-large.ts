import { hasRobotsText } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { kilobytes, seenInRobots } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const robotsTooLarge = siteCheck({
  id: 'robots-too-large',
  title: 'robots.txt is too large',
  category: 'technical',
  group: 'crawling',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Crawlers read every rule in the file.',
  timeToResult: '1-2 weeks',
  risk: 'Your robots.txt is larger than 500 KB. Google reads only the first 500 KB and ignores every rule after that.',
  steps: [
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support team). Delete rules for paths that no longer exist.',
    'If every page in a folder should be blocked, replace the lines for its pages with `Disallow: /YOUR FOLDER/`. If URLs share a parameter, use a pattern: `Disallow: /*?sort=` blocks every URL with `?sort=` in it.',
    'If two groups (a `User-agent` line and the rules below it) have the same rules, list their `User-agent` lines together above one copy of the rules.',
    'If a single page should stay out of search, set it to noindex in that page’s own SEO settings, never in a template that other pages share, and delete its robots.txt line, or crawlers won’t see the setting.',
    'Open /robots.txt in your browser, save it to your computer, and make sure the file is smaller than 500 KB. Then open “Page indexing” in Google Search Console a few days later, and make sure no page that you need is listed as blocked by robots.txt.',
  ],
  example: {
    before: 'Disallow: /YOUR FOLDER/YOUR FIRST PAGE\nDisallow: /YOUR FOLDER/YOUR SECOND PAGE',
    after: 'Disallow: /YOUR FOLDER/',
  },
  tags: ['robots.txt'],
  source: 'RFC 9309 Robots Exclusion Protocol (https://www.rfc-editor.org/rfc/rfc9309.html)',
  appliesTo: hasRobotsText,
  run: (site) => {
    const { bytes, truncated } = site.discovery.robots.outcome;
    if (bytes <= THRESHOLDS.robotsBytes && !truncated) return [];
    return [
      {
        evidence: seenInRobots(site, 'size', kilobytes(bytes)),
        message: `robots.txt has ${truncated ? 'more than ' : ''}${kilobytes(bytes)}; crawlers read the first ${kilobytes(THRESHOLDS.robotsBytes)}.`,
      },
    ];
  },
});
