import { indexableContent } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';

export const descriptionMultiple = pageCheck({
  id: 'description-multiple',
  title: 'More than one meta description',
  category: 'content',
  group: 'description',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Search engines get the one description you chose.',
  timeToResult: '1-3 weeks',
  risk: 'The page has more than one meta description, each with a different text, so search engines choose among them themselves.',
  steps: [
    'View the page source, search it for `name="description"`, and decide which text to keep.',
    'Turn off the meta description in the SEO plugin, reload the source, and see which tag is gone. If none is, search the theme’s settings and its header template for the other text.',
    'Turn off the tags you don’t need where you found them, or remove them from the template. You can’t edit them in the page source itself.',
    'View the page source again and make sure `<meta name="description" content="YOUR PAGE SUMMARY">` appears once.',
  ],
  example: {
    before:
      '<meta name="description" content="YOUR OLD SUMMARY">\n<meta name="description" content="YOUR PAGE SUMMARY">',
    after: '<meta name="description" content="YOUR PAGE SUMMARY">',
  },
  tags: ['description'],
  source: 'Google Search Central: Snippets (https://developers.google.com/search/docs/appearance/snippet)',
  appliesTo: (page, site) => indexableContent(page, site) && descriptionsIn(page.facts?.metas ?? []).length > 0,
  run: (page) => {
    const texts = descriptionsIn(page.facts.metas);
    // The same text twice misleads nobody.
    if (new Set(texts).size < 2) return [];
    return [
      {
        evidence: seen(page, 'head > meta[name=description]', texts.map((text) => `"${text.slice(0, 60)}"`).join(', ')),
        message: `The page has ${plural(texts.length, 'meta description')} with different texts.`,
      },
    ];
  },
});

const descriptionsIn = (metas: readonly { readonly name: string; readonly content: string }[]): readonly string[] =>
  metas
    .filter(({ name }) => name === 'description')
    .map(({ content }) => content.trim())
    .filter((text) => text !== '');
