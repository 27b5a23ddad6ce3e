import { movingScript } from '../../../facts/redirectStub.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';

export const jsRedirect = pageCheck({
  id: 'js-redirect',
  title: 'Page is only a JavaScript redirect',
  category: 'technical',
  group: 'redirects',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Every crawler and visitor gets to the page that the redirect is for.',
  timeToResult: '1-3 weeks',
  risk: 'This page does nothing but redirect with JavaScript. Crawlers that don’t run scripts, including many AI crawlers, end up on an almost empty page.',
  steps: [
    'In your CMS, your web host’s control panel, or the server’s configuration, set up a 301 redirect to the new URL, or a 302 redirect if the move isn’t permanent. If you can’t change any of these yourself, send this step to your host’s support team.',
    'Remove the page with the script.',
    'Link straight to the new URL from your own pages.',
    'Open the Network tab in your browser’s developer tools, open the old URL, click its entry, and make sure its status is 301 or 302 and the new page opens.',
  ],
  example: {
    before: '<script>location.href = "YOUR NEW ADDRESS";</script>',
    after: 'HTTP/1.1 301 Moved Permanently\nLocation: YOUR NEW ADDRESS',
  },
  tags: ['redirect', 'javascript'],
  source:
    'Google Search Central: Redirects (https://developers.google.com/search/docs/crawling-indexing/301-redirects)',
  appliesTo: htmlPage,
  run: (page) => {
    const script = movingScript(page.facts);
    if (script === null) return [];
    return [
      {
        evidence: seen(page, script.selector, script.statement),
        message: `The page has ${plural(page.facts.bodyWordCount, 'word')} and moves visitors on by script.`,
      },
    ];
  },
});
