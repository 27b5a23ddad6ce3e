import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, seen } from '../../evidence.ts';

export const charsetMissing = pageCheck({
  id: 'charset-missing',
  title: 'Character encoding is missing or declared too late',
  category: 'technical',
  group: 'html',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Accented letters and symbols show correctly in browsers, search results and AI answers.',
  timeToResult: '1-2 weeks',
  risk: 'Browsers and crawlers have to guess the encoding, so accented letters, quotation marks and currency signs can turn into garbage.',
  steps: [
    'Add the meta charset tag as the first element of the head, within the first 1,024 bytes of the page.',
    'Save the page’s files in UTF-8.',
    'If you can, also send the header Content-Type: text/html; charset=utf-8.',
  ],
  example: { before: null, after: '<head>\n  <meta charset="utf-8">' },
  tags: ['html'],
  source: 'Lighthouse: charset',
  lighthouse: 'charset',
  appliesTo: htmlPage,
  run: (page) => {
    const { header: declared, bom, meta, metaOffset, used } = page.facts.charset;
    if (declared !== null || bom || (metaOffset !== null && metaOffset <= 1024)) return [];
    const message =
      meta === null
        ? `No encoding is declared; the page was read as ${used}.`
        : `The encoding ${meta} is declared ${count(metaOffset ?? 0)} bytes into the page; only the first 1,024 count.`;
    const text = `<meta charset="${used}">`;
    return [
      {
        evidence: seen(page, 'head > meta[charset]', meta ?? 'missing'),
        message,
        snippet: { edits: 'head', operation: 'add', at: 'start of head', text },
      },
    ];
  },
});
