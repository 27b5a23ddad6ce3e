import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const headBroken = pageCheck({
  id: 'head-broken',
  title: 'Body content closes the head early',
  category: 'technical',
  group: 'html',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Every tag in the head takes effect, including the canonical link.',
  timeToResult: '1-3 weeks',
  risk: 'The head of the page contains something that belongs in the body. Browsers and search engines end the head at that point, so tags after it, such as the canonical, don’t count.',
  steps: [
    'Search the template for the element or text that this report names. If it isn’t there, a plugin or your tag manager adds it. On a copy of the site, turn them off one by one, view the page source after each, and turn them on again once you know which one it is.',
    'Move it to the start of the `<body>`: in the template, or with the setting of the plugin or tag manager that says where code goes. It’s often the image or iframe of a tracking code. If there’s no such setting, do without that part of the code, or ask the plugin’s support team.',
    'Keep only title, meta, link, base, style, script, template, and noscript elements in the `<head>`, and only link, style, and meta elements inside that noscript.',
    'Open the Elements tab in your browser’s developer tools and make sure the title, canonical, and meta tags are all inside `<head>`.',
  ],
  example: {
    before:
      '<head>\n  <img src="YOUR TRACKING IMAGE ADDRESS" alt="">\n  <link rel="canonical" href="YOUR PAGE ADDRESS">\n</head>\n<body>',
    after:
      '<head>\n  <link rel="canonical" href="YOUR PAGE ADDRESS">\n</head>\n<body>\n  <img src="YOUR TRACKING IMAGE ADDRESS" alt="">',
  },
  tags: ['html', 'meta'],
  source:
    'Google Search Central: Use valid page metadata (https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata)',
  appliesTo: htmlPage,
  run: (page) => {
    const { headBrokenBy, canonicals, titles } = page.facts;
    if (headBrokenBy === null) return [];
    const lost = [
      titles.some((title) => !title.inHead) && 'the title',
      canonicals.some((canonical) => !canonical.inHead) && 'the canonical link',
    ].filter((part) => part !== false);
    const what = headBrokenBy === '#text' ? 'Text' : `<${headBrokenBy}>`;
    return [
      {
        evidence: seen(page, 'head', headBrokenBy === '#text' ? 'text' : `<${headBrokenBy}>`),
        message: `${what} inside the head ends it early${lost.length === 0 ? '' : `, so that ${lost.join(' and ')} ${lost.length === 1 ? 'ends' : 'end'} up in the body`}.`,
      },
    ];
  },
});
