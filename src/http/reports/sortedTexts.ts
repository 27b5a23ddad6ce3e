/** Sorts texts of a site, however many, long, and odd they are. */
import { createPace } from '../../eventStore/pacing.ts';
import { ascending } from '../../model/order.ts';

/** Characters by which texts are told apart. */
const COMPARED = 100;

/**
 * What stands for a text in alphabetical order: without case and accents. To compare two texts by the rules of a language
 * takes a hundred times as long if somebody chose them for it.
 */
export const alphabeticalKey = (text: string): string =>
  text
    .slice(0, COMPARED)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();

/** Of all texts. Pauses. */
export async function alphabeticalKeys(texts: readonly string[]): Promise<readonly string[]> {
  const pace = createPace('request');
  const keys: string[] = [];
  for (const text of texts) {
    keys.push(alphabeticalKey(text));
    if (keys.length % TEXTS_AT_ONCE === 0) await pace.pass();
  }
  return keys;
}

/** Texts that are looked at between two pauses. */
export const TEXTS_AT_ONCE = 200;

/** Sorted at once; also merged between two pauses. */
const RUN = 1_000;

/** Numbers of the texts from the least to the greatest; equal ones in their order. Pauses. */
export async function sortedTexts(texts: readonly string[]): Promise<Uint32Array> {
  const pace = createPace('request');
  const compare = (a: number, b: number): number => ascending(texts[a] ?? '', texts[b] ?? '') || a - b;
  const at = (numbers: Uint32Array, place: number): number => numbers[place] ?? 0;
  const { length } = texts;
  let [sorted, merged] = [Uint32Array.from(texts.keys()), new Uint32Array(length)];
  for (let from = 0; from < length; from += RUN) {
    sorted.subarray(from, from + RUN).sort(compare);
    await pace.pass();
  }
  for (let size = RUN; size < length; size *= 2) {
    for (let from = 0; from < length; from += 2 * size) {
      const [middle, end] = [Math.min(from + size, length), Math.min(from + 2 * size, length)];
      let [left, right] = [from, middle];
      for (let place = from; place < end; place += 1) {
        const isLeft = left < middle && (right >= end || compare(at(sorted, left), at(sorted, right)) < 0);
        merged[place] = isLeft ? at(sorted, left++) : at(sorted, right++);
        if (place % RUN === 0) await pace.pass();
      }
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}
