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
  gain: 'Crawlers read the file to its last rule.',
  timeToResult: '1-2 weeks',
  risk: 'Your robots.txt is larger than 500 KiB. Google reads only the first 500 KiB and ignores every rule after that.',
  steps: [
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support).',
    'Replace long lists of single URLs with rules for their folders, such as `Disallow: /YOUR FOLDER/`, or with `*` and `$` patterns.',
    'Delete rules for paths that no longer exist, and merge groups with the same rules.',
    'If a page should stay out of search, put `<meta name="robots" content="noindex">` into its `<head>`, and remove its robots.txt line so that crawlers can see the tag.',
    'Save /robots.txt from your browser and make sure the file is below 500 KB.',
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
