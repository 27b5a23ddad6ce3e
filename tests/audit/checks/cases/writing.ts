/** How texts are written: language, length of sentences, answers, sources. */
import type { CaseTable } from '../../../given/audit/checkCases.ts';
import type { GivenSite } from '../../../given/audit/page.ts';
import { body, head, main } from './html.ts';
import { BREATHLESS, DIFFICULT, ENGLISH, FRENCH, GERMAN, JAPANESE } from './texts.ts';

const inLanguage = (lang: string, text: string): string =>
  `<!doctype html><html lang="${lang}"><head><title>Tea</title></head><body><main><p>${text}</p></main></body></html>`;
/** Informational pages are below the start page. */
const guide = (inside: string): GivenSite => ({ pages: [main('<p>Home</p>'), { url: '/guide', html: main(inside) }] });
const text = (words: number): string => {
  const all = ENGLISH.split(' ');
  return `<p>${Array.from({ length: words }, (_, index) => all[index % all.length]).join(' ')}</p>`;
};
const answer = (words: number): string => `<p>${'word '.repeat(words)}</p>`;
const faq = (...answers: string[]): string =>
  main(answers.map((each, index) => `<h2>Question ${index}?</h2>${each}`).join(''));

export const WRITING: CaseTable = {
  'lang-content-mismatch': {
    passes: [
      inLanguage('en', ENGLISH),
      inLanguage('en-GB', ENGLISH),
      inLanguage('de', GERMAN),
      inLanguage('ja', JAPANESE),
      inLanguage('FR', FRENCH),
    ],
    finds: [
      {
        site: inLanguage('en', GERMAN),
        tells: 'is in English (lang="en"), but its text is in German',
        code: '<html lang="de">',
      },
      { site: inLanguage('de-AT', ENGLISH), tells: 'German' },
      { site: inLanguage('en', JAPANESE), tells: 'Japanese' },
      {
        site: inLanguage('en', 'نبيع الشاي الأخضر والأسود من مزارع صغيرة، ونصنع الأباريق بأيدينا في ورشتنا.'),
        tells: 'but its letters are Arabic',
      },
      {
        site: inLanguage(
          'ru',
          'Wir verkaufen Tee aus kleinen Gärten und machen unsere Kannen von Hand in der Werkstatt',
        ),
        tells: 'but its letters are Latin',
      },
    ],
    skips: [inLanguage('', ENGLISH), inLanguage('de', 'Only a few words of English here')],
    unchecked: [
      inLanguage('gl', ENGLISH),
      inLanguage('de', 'abra kadabra '.repeat(100)),
      inLanguage('de', `${ENGLISH} ${GERMAN}`),
    ],
  },
  'hard-to-read': {
    passes: [main(`<p>${ENGLISH}</p>`)],
    finds: [
      { site: main(`<p>${DIFFICULT}</p>`.repeat(10)), tells: 'reading ease of', hint: false },
      { site: main(`<p>${BREATHLESS}</p>`), tells: 'words to a sentence', hint: true },
    ],
    skips: [inLanguage('de', GERMAN), main(`<p>${ENGLISH.slice(0, 400)}</p>`)],
  },
  'keyword-stuffing': {
    passes: [
      main(text(400)),
      head('<title>Tea for two, tea for three</title>'),
      head('<title>From tea to tea — Tea handbook</title>'),
      // Code is no text, and a card names what its link leads to.
      main(`${text(300)}<pre>${'const teapot = brew; '.repeat(60)}</pre>`),
      main(
        `${text(300)}${Array.from({ length: 20 }, (_, line) => `<p>Defined in <code>lib/brewing.js:${line}</code></p>`).join('')}`,
      ),
      main(
        `${text(300)}${Array.from({ length: 16 }, (_, index) => `<p><a href="/${index}">Hand ${index} running shoes</a> Light running shoes.</p>`).join('')}`,
      ),
      guide(Array.from({ length: 200 }, (_, index) => `<a href="/${index}">get (method ${index})</a> `).join('')),
    ],
    finds: [
      { site: main(`${text(300)}<p>${'buy cheap teapots here and now. '.repeat(20)}</p>`), tells: 'cheap teapots' },
      {
        site: head('<title>Teapots: cheap teapots, best teapots</title>'),
        tells: 'says "teapots" 3 times',
        hint: false,
      },
      { site: head('<title>Cheap Teapots, Cheap Teapots, Cheap Teapots</title>'), hint: false },
      {
        site: main(
          `${text(300)}<p>${'buy cheap teapots here and now. '.repeat(20)}</p><p><a href="/a">Cheap teapots</a></p>`,
        ),
        hint: false,
      },
      // A name has no synonym.
      { site: head('<title>New York pizza in New York City, New York</title>'), hint: true },
      {
        site: main(`${text(300)}<p>${'we went to Port Ashby and back. '.repeat(20)}</p>`),
        tells: 'port ashby',
        hint: true,
      },
    ],
    skips: ['<html lang="en"><body><main><p>Tea</p></main></body></html>'],
  },
  'answer-not-first': {
    passes: [
      faq(answer(40), answer(15), answer(80)),
      faq(answer(40), answer(5)),
      main(`<h2>How to brew</h2>${answer(30)}<h3>When to pour</h3>${answer(30)}`),
    ],
    finds: [
      { site: faq(answer(14), answer(81), answer(30)), tells: '2 of 3 questions', count: 1 },
      { site: faq('<ul><li>A list</li></ul>', ''), tells: 'no paragraph' },
      { site: main('<h2>How to brew</h2><h3>What is needed</h3>'), tells: '"How to brew"' },
    ],
    skips: [
      faq(answer(5)),
      main('<h2>Brewing</h2><h2>Pouring</h2>'),
      main('<h2>How tea is brewed</h2><h2>What you need</h2>'),
      main('<h1>Why?</h1><h4>How?</h4>'),
    ],
  },
  'no-question-content': {
    passes: [
      guide(`${text(501)}<h2>How hot?</h2>`),
      guide(`${text(501)}<dl><dt>Hot</dt></dl>`),
      guide(`${text(501)}<details></details>`),
      guide(`<h3>What do you need</h3>${text(501)}`),
    ],
    finds: [{ site: guide(text(501)), tells: '501 words', count: 1 }],
    skips: [
      guide(text(500)),
      guide(`${text(600)}${'<pre>make tea</pre>'.repeat(3)}`),
      main(text(600)),
      { pages: [main('<p>x'), { url: '/contact', html: main(text(600)) }] },
    ],
  },
  'no-evidence': {
    passes: [
      guide(`${text(501)}<a href="https://a.example/x">a</a><a href="https://b.example/x">b</a>`),
      guide(`${text(501)}<blockquote>Tea</blockquote>`),
      guide(`${text(501)}<dl><dt>--quiet</dt><dd>Prints nothing.</dd></dl>`),
      guide(`${text(501)}<p>80 °C, 12% and 3 g, since 1998</p>`),
    ],
    finds: [
      {
        site: guide(`${text(501)}<a href="https://a.example/x">a</a><p>In 12 steps, 3 of 4</p>`),
        tells: '1 link to other sites',
        count: 1,
      },
      { site: guide(`${text(501)}<nav><a href="https://a.example/x">a</a><a href="https://b.example/x">b</a></nav>`) },
    ],
    skips: [guide(text(500)), main(text(600)), guide(`${text(400)}<pre>${text(200)}</pre>`)],
  },
  'no-lists-tables': {
    passes: [
      guide(`${text(701)}<ul><li>x</li></ul>`),
      guide(`${text(701)}<table><tr><td>x</table>`),
      guide(`${text(701)}<dl><dt>x</dl>`),
    ],
    finds: [
      { site: guide(text(701)), tells: '701 words', count: 1 },
      {
        site: {
          pages: [
            main('<p>x'),
            { url: '/guide', html: body(`<nav><ul><li>x</li></ul></nav><main>${text(701)}</main>`) },
          ],
        },
      },
    ],
    skips: [guide(text(700)), main(text(800)), guide(`${text(600)}<pre>${text(200)}</pre>`)],
  },
};
