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
  gain: 'Accented letters and symbols show correctly in browsers, search results, and AI answers.',
  timeToResult: '1-2 weeks',
  risk: 'The page doesn’t declare its character encoding, or does so too late. Browsers and crawlers have to guess, so accented letters, quotation marks, and currency signs can turn into garbage.',
  steps: [
    'In the page template, put `<meta charset="utf-8">` first in the `<head>`, within the first 1,024 bytes of the page.',
    'Save the template and content files in UTF-8. If accented letters look wrong afterward, a file is still in another encoding.',
    'If you can, also send the header `Content-Type: text/html; charset=utf-8`, which you set in your web host’s control panel or the server’s configuration.',
    'To check, view the page source: the tag is right after `<head>`, and accented letters on the page look right.',
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
    // Of text in another encoding, the files have to be saved again; a late declaration has to move.
    const isReady = meta === null && used === 'utf-8';
    return [
      {
        evidence: seen(page, 'head > meta[charset]', meta ?? 'missing'),
        message,
        snippet: isReady
          ? { edits: 'head', operation: 'add', at: 'start of head', text: '<meta charset="utf-8">' }
          : null,
      },
    ];
  },
});
