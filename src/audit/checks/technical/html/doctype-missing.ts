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
  gain: 'Same layout in all browsers.',
  timeToResult: 'immediate',
  risk: 'Browsers fall back to a mode from the nineties.',
  steps: ['Begin the file with the doctype.'],
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
