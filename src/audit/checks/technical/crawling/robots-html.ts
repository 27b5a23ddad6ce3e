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
  gain: 'Crawlers get a real robots.txt with the rules you set.',
  timeToResult: '1-2 weeks',
  risk: 'Crawlers look for rules in the HTML, find none and treat the whole site as open.',
  steps: [
    'Put a plain text file named robots.txt at the root of the site.',
    'Serve it ahead of the fallback that answers every path with the app’s HTML.',
    'Check that /robots.txt comes with status 200 and the content type text/plain.',
  ],
  example: { before: null, after: '# nginx\nlocation = /robots.txt {\n  try_files $uri =404;\n}' },
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
