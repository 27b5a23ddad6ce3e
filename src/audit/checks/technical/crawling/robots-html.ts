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
  risk: 'Your /robots.txt returns a web page instead of a text file. Crawlers find no rules in it and treat the whole site as open.',
  steps: [
    'With your web host’s file manager, put a plain text file named robots.txt into the root folder of the site. If nothing should be blocked, the lines `User-agent: *` and `Disallow:` are enough.',
    'If the web page still appears, a catch-all rule in the server’s configuration answers first. Serve /robots.txt before it, but don’t remove that rule, because your site needs it. If you can’t change this yourself, send this step to your host’s support team.',
    'Open the Network tab in your browser’s developer tools, open /robots.txt, click its entry, and make sure it shows status 200 and `Content-Type: text/plain`.',
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
