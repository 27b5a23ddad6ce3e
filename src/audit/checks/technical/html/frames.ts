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
  gain: 'Each page can be found, linked to and read on a phone.',
  timeToResult: '4-12 weeks',
  risk: 'The page itself is an empty shell, and search results lead into single frames without the rest of the site. Phones shrink the frames until they’re hard to read.',
  steps: [
    'Turn each framed document into a normal page at its own URL.',
    'Put the navigation into the HTML of every page, as plain links.',
    'Replace the frameset page with a normal page that holds the content of its main frame.',
    'Redirect addresses that changed to the matching new page with a 301.',
  ],
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
