import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, seen } from '../../evidence.ts';

export const charsetMissing = pageCheck({
  id: 'charset-missing',
  title: 'Character encoding is not declared',
  category: 'technical',
  group: 'html',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  gain: 'No broken letters in results and answers.',
  timeToResult: '1-2 weeks',
  risk: 'Special characters may turn into garbage.',
  steps: ['Declare UTF-8 first in the head.'],
  example: { before: null, after: '<meta charset="utf-8">' },
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
