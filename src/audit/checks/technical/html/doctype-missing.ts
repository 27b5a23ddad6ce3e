import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const doctypeMissing = pageCheck({
  id: 'doctype-missing',
  title: 'No HTML5 doctype',
  category: 'technical',
  group: 'html',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  gain: 'All browsers lay out the page by today’s standards.',
  timeToResult: 'immediate',
  risk: 'Browsers fall back to quirks mode, which imitates browsers of the 1990s, so sizes and spacing can be off.',
  steps: [
    'Make the HTML5 doctype the very first line of the page template, in place of any older doctype, with nothing in front of it.',
    'Look over the layout afterwards: pages built for quirks mode can shift a little.',
  ],
  example: { before: null, after: '<!doctype html>' },
  tags: ['html'],
  source: 'Lighthouse: doctype',
  lighthouse: 'doctype',
  appliesTo: htmlPage,
  run: (page) => {
    const { doctype, quirks, limitedQuirks } = page.facts;
    if (!quirks && !limitedQuirks) return [];
    const message =
      doctype === null
        ? 'The page has no doctype, so browsers show it in quirks mode.'
        : `The doctype "${doctype}" puts browsers into ${quirks ? 'quirks' : 'limited quirks'} mode.`;
    const operation = doctype === null ? 'add' : 'replace';
    return [
      {
        evidence: seen(page, 'doctype', doctype ?? 'missing'),
        message,
        snippet: { edits: 'element', operation, at: 'doctype', text: '<!doctype html>' },
      },
    ];
  },
});
