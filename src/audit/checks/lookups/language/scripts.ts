/** Scripts that prove what a text is not: nobody writes English in Arabic letters. */

type Script = { readonly name: string; readonly letters: RegExp; readonly languages: readonly string[] };

/** With the languages that are written in them. */
const SCRIPTS: readonly Script[] = [
  { name: 'Arabic', letters: /\p{Script=Arabic}/gu, languages: 'ar fa ur ps ckb ug sd ks pnb dv ku az'.split(' ') },
  { name: 'Hebrew', letters: /\p{Script=Hebrew}/gu, languages: ['he', 'yi'] },
  {
    name: 'Cyrillic',
    letters: /\p{Script=Cyrillic}/gu,
    languages: 'ru uk be bg mk sr bs kk ky tg mn tt ba cv os ce uz az ab av'.split(' '),
  },
  { name: 'Greek', letters: /\p{Script=Greek}/gu, languages: ['el'] },
  { name: 'Thai', letters: /\p{Script=Thai}/gu, languages: ['th'] },
  { name: 'Korean', letters: /\p{Script=Hangul}/gu, languages: ['ko'] },
  { name: 'Devanagari', letters: /\p{Script=Devanagari}/gu, languages: 'hi mr ne sa mai bho kok'.split(' ') },
  {
    name: 'Chinese or Japanese',
    letters: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
    languages: ['zh', 'ja', 'yue', 'wuu', 'ko'],
  },
  {
    name: 'Latin',
    letters: /\p{Script=Latin}/gu,
    languages:
      'en de fr es pt it nl sv da no fi is et lv lt pl cs sk sl hr hu ro ca gl eu ga cy sq tr az uz vi id ms tl sw af mt bs sr kk ku lb'.split(
        ' ',
      ),
  },
];

/** Of the text, from its beginning. */
const READ = 1_000;
const LEAST_LETTERS = 60;
const SHARE = 0.9;
/** A text in Latin letters has none of these, which is quick to see. */
const BEYOND_LATIN = /[\u0370-\u1dff\u3040-\ud7ff]/;

const isLatin = (language: string): boolean =>
  SCRIPTS.some(({ name, languages }) => name === 'Latin' && languages.includes(language));

/** The script that nearly all letters of a text have, if the language is never written in it; null otherwise. */
export function foreignScript(
  text: string,
  language: string,
): { readonly name: string; readonly letters: number } | null {
  if (!SCRIPTS.some(({ languages }) => languages.includes(language))) return null;
  const read = text.slice(0, READ);
  if (isLatin(language) && !BEYOND_LATIN.test(read)) return null;
  const all = read.match(/\p{L}/gu)?.length ?? 0;
  if (all < LEAST_LETTERS) return null;
  for (const { name, letters, languages } of SCRIPTS) {
    const count = read.match(letters)?.length ?? 0;
    if (count >= SHARE * all) return languages.includes(language) ? null : { name, letters: count };
  }
  return null;
}
