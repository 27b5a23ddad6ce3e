import { hasRobotsText } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { kilobytes, seenInRobots } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const robotsTooLarge = siteCheck({
  id: 'robots-too-large',
  title: 'robots.txt is larger than crawlers read',
  category: 'technical',
  group: 'crawling',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'All rules are honored.',
  timeToResult: '1-2 weeks',
  risk: 'Google stops reading after 500 KiB and ignores the rest.',
  steps: ['Merge rules with wildcards.'],
  example: null,
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
