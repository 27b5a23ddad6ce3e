import { excerpt } from '../../../excerpt.ts';
import { siteCheck } from '../../check.ts';
import { seenInRobots } from '../../evidence.ts';
import { header } from '../../lookups/siteIndex.ts';

export const robotsHtml = siteCheck({
  id: 'robots-html',
  title: 'robots.txt returns a web page',
  category: 'technical',
  group: 'crawling',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Crawler rules begin to work.',
  timeToResult: '1-2 weeks',
  risk: 'An app shell answers for every path, so crawlers read garbage.',
  steps: ['Serve a real text file before the app fallback.'],
  example: { before: null, after: 'location = /robots.txt { try_files $uri =404; }' },
  tags: ['robots.txt'],
  source: 'RFC 9309 Robots Exclusion Protocol (https://www.rfc-editor.org/rfc/rfc9309.html)',
  lighthouse: 'robots-txt',
  appliesTo: (site) => site.discovery.robots.verdict === 'rules' && site.discovery.robots.text.trim() !== '',
  run: (site) => {
    const { looksLikeHtml, outcome, text } = site.discovery.robots;
    if (!looksLikeHtml) return [];
    return [
      {
        evidence: seenInRobots(site, 'body', excerpt(text, 80)),
        message: `/robots.txt answers with a web page (${header(outcome, 'content-type') ?? 'no content type'}).`,
      },
    ];
  },
});
