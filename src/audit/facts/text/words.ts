/** Counting words in any script. */

/** Scripts without spaces between words: Thai, Lao, Myanmar, Khmer, Kana, Han. Korean uses spaces. */
export function isUnspaced(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x4dbf) ||
    (code >= 0x0e00 && code <= 0x0eff) ||
    (code >= 0x1000 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff) ||
    (code >= 0xf900 && code <= 0xfaff)
  );
}

export function isWordCode(code: number): boolean {
  if (code < 0x80)
    return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code >= 0x2000 && code <= 0x2bff) return false;
  if (code >= 0x3000 && code <= 0x303f) return false;
  if (code >= 0xff00 && code <= 0xff0f) return false;
  return code !== 0xd7 && code !== 0xf7 && code !== 0xfeff && code !== 0xfffd;
}

/** Limit on the characters passed to the segmenter; counts for longer texts are extrapolated. */
const SEGMENTED = 20_000;
let segmenter: Intl.Segmenter | undefined;

function countUnspaced(text: string): number {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  const sample = text.slice(0, SEGMENTED);
  let words = 0;
  for (const part of segmenter.segment(sample)) if (part.isWordLike) words += 1;
  return text.length > sample.length ? Math.round((words * text.length) / sample.length) : words;
}

/**
 * Counts runs of letters and digits (an inner apostrophe or hyphen does not split a word); unspaced scripts use a
 * dictionary. One pass.
 */
export function countWords(text: string): number {
  let words = 0;
  let inWord = false;
  let unspaced = '';
  let from = -1;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code > 0xdff && isUnspaced(code)) {
      if (from < 0) from = i;
      inWord = false;
      continue;
    }
    if (from >= 0) {
      unspaced += `${text.slice(from, i)} `;
      from = -1;
    }
    if (isWordCode(code)) {
      if (!inWord) words += 1;
      inWord = true;
    } else if (!(inWord && (code === 0x27 || code === 0x2019 || code === 0x2d))) inWord = false;
  }
  if (from >= 0) unspaced += text.slice(from);
  return unspaced === '' ? words : words + countUnspaced(unspaced);
}

/** Lower-case words for comparing texts, at most `limit`. In unspaced scripts each character is a word. */
export function wordsOf(text: string, limit: number): string[] {
  const words: string[] = [];
  const lower = text.toLowerCase();
  let start = -1;
  for (let i = 0; i <= lower.length && words.length < limit; i += 1) {
    const code = i < lower.length ? lower.charCodeAt(i) : 0x20;
    if (code > 0xdff && isUnspaced(code)) {
      if (start >= 0) words.push(lower.slice(start, i));
      start = -1;
      words.push(lower.charAt(i));
    } else if (isWordCode(code)) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      words.push(lower.slice(start, i));
      start = -1;
    }
  }
  return words;
}
