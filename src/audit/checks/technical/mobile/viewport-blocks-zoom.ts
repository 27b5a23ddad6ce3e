import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { metaSet } from '../../lookups/snippets.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const viewportBlocksZoom = pageCheck({
  id: 'viewport-blocks-zoom',
  title: 'Page blocks zooming',
  category: 'technical',
  group: 'mobile',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Everyone can zoom in to read the page.',
  timeToResult: 'immediate',
  risk: 'The page’s viewport tag forbids zooming. People with low vision can’t enlarge the text in browsers that obey it.',
  steps: [
    'Search your theme’s header template for `name="viewport"`. If it isn’t there, a page builder or a mobile plugin writes the tag: turn these off one by one, and reload the page source to see which one it is.',
    'If it’s the template, remove `user-scalable=no` and any `maximum-scale` from the tag, so that it says `<meta name="viewport" content="width=device-width, initial-scale=1">`.',
    'If it’s a plugin or page builder, open its settings for mobile devices or the viewport, and allow zooming there.',
    'View the page source and make sure the tag no longer says `user-scalable=no` or `maximum-scale`. On a phone, make sure you can zoom in.',
  ],
  example: {
    before: '<meta name="viewport" content="width=device-width, initial-scale=1, maximum-scale=1, user-scalable=no">',
    after: '<meta name="viewport" content="width=device-width, initial-scale=1">',
  },
  tags: ['mobile', 'accessibility'],
  source: 'axe-core rule meta-viewport (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'meta-viewport',
  appliesTo: (page) => htmlPage(page) && page.facts.metas.some((meta) => meta.name === 'viewport'),
  run: (page) =>
    page.facts.metas.flatMap(({ name, content }) => {
      if (name !== 'viewport' || !blocksZoom(content)) return [];
      return [
        {
          evidence: seen(page, 'head > meta[name=viewport]', content),
          message: `The viewport "${content}" keeps visitors from zooming.`,
          snippet: metaSet(page, 'name', 'viewport', allowingZoom(content)),
        },
      ];
    }),
});

function blocksZoom(content: string): boolean {
  const settings = new Map(content.split(/[;,]/).map((part): [string, string] => twoParts(part.toLowerCase())));
  const scalable = settings.get('user-scalable') ?? '';
  const largest = settings.get('maximum-scale') ?? '';
  const scale = largest === 'yes' ? 1 : Number.parseFloat(largest);
  const factor = Number.parseFloat(scalable);
  return scalable === 'no' || (factor > -1 && factor < 1) || (scale >= 0 && scale < THRESHOLDS.zoomMin);
}

function twoParts(setting: string): [string, string] {
  const [name = '', value = ''] = setting.split('=');
  return [name.trim(), value.trim()];
}

/** The same without what keeps from zooming. */
function allowingZoom(content: string): string {
  const kept = content
    .split(/[;,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(?:user-scalable|(?:maximum|minimum)-scale)\b/i.test(part));
  return kept.length === 0 ? 'width=device-width, initial-scale=1' : kept.join(', ');
}
