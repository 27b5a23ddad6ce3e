import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const headBroken = pageCheck({
  id: 'head-broken',
  title: 'Head is closed early by a body element',
  category: 'technical',
  group: 'html',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Meta tags take effect again.',
  timeToResult: '1-3 weeks',
  risk: 'Everything after the foreign element is not read as head data.',
  steps: ['Keep only metadata elements in the head.'],
  example: null,
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
