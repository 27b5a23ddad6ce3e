import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { pathOf } from '../../lookups/siteIndex.ts';

export const frames = pageCheck({
  id: 'frames',
  title: 'Page is made of frames',
  category: 'technical',
  group: 'html',
  impact: 'high',
  difficulty: 'hard',
  minutes: 240,
  gain: 'Each page can be found, linked to, and read on a phone.',
  timeToResult: '4-12 weeks',
  risk: 'The page is an empty shell that loads its content in frames. Search results lead into single frames without the rest of the site, and phones shrink the frames until they’re hard to read.',
  steps: [
    'Turn each document that a `<frame>` loads into a normal page at its own URL, with the navigation as plain links in its HTML.',
    'Replace the `<frameset>` page with a normal page that holds the content of its main frame.',
    'If a URL has to change, set up a 301 redirect to the matching new page in your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send this step to your host’s support team.',
    'View the page source of each page and make sure `<frameset>` and `<frame>` are gone and the text of the page is there.',
  ],
  // No code is written: the page has to be built again from its parts.
  example: {
    before:
      '<frameset cols="20%,80%">\n  <frame src="YOUR MENU ADDRESS">\n  <frame src="YOUR CONTENT ADDRESS">\n</frameset>',
    after: '<nav>\n  <a href="YOUR PAGE ADDRESS">YOUR LINK TEXT</a>\n</nav>\n<main>\n  YOUR PAGE CONTENT\n</main>',
  },
  tags: ['html', 'mobile'],
  source:
    'WHATWG HTML: obsolete features, frame and frameset (https://html.spec.whatwg.org/multipage/obsolete.html#frames)',
  appliesTo: htmlPage,
  run: (page) => {
    const named = page.facts.resources.filter(({ kind }) => kind === 'frame');
    const [first] = named;
    if (first === undefined) return [];
    const paths = named.map(({ url }) => pathOf(url)).join(', ');
    return [
      {
        evidence: seen(page, first.selector, paths),
        message: `The page is a shell of ${plural(named.length, 'frame')}: ${paths}.`,
      },
    ];
  },
});
