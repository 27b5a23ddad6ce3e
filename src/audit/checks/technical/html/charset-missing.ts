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
  risk: 'Browsers and crawlers don’t find the page’s character encoding in its first 1,024 bytes and have to guess it. Accented letters, quotation marks, and currency signs can turn into garbage.',
  steps: [
    'Look up the encoding that this report names: the page was read in it. On most sites it’s UTF-8.',
    'If it’s UTF-8, put `<meta charset="utf-8">` first in the `<head>` of the page template, and remove any later one.',
    'If it’s another encoding, such as windows-1252, name that one in the tag. A tag that names the wrong encoding garbles the letters. You can save the template and the content in UTF-8 later and change the tag with them.',
    'If the `Content-Type` response header names an encoding, too, make sure it’s the same one. You find this header when you click the page’s entry in the Network tab in your browser’s developer tools.',
    'View the page source and make sure the tag is right after `<head>` and accented letters on the page are readable.',
  ],
  // Not every page that declares none is in UTF-8.
  example: null,
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
