import { indexableContent } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';

export const descriptionMultiple = pageCheck({
  id: 'description-multiple',
  title: 'Several meta descriptions',
  category: 'content',
  group: 'description',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'The description you chose is the one in the results.',
  timeToResult: '1-3 weeks',
  risk: 'Search engines pick one of them, or none.',
  steps: ['Keep one description; most often a plugin and the theme both write one.'],
  example: null,
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
