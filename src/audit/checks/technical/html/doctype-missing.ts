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
  risk: 'The page has no doctype or an outdated one, so browsers imitate browsers of the 1990s (quirks mode), and sizes and spacing can be off.',
  steps: [
    'Make `<!DOCTYPE html>` the very first line of the page template, replacing any older doctype, with nothing in front of it.',
    'Pages built for quirks mode can shift a little, so compare the layout with the old one, if possible on a copy of the site first, and correct the CSS where it shifted.',
    'View the page source and make sure `<!DOCTYPE html>` is its first line.',
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
