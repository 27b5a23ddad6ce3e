/** A 64-bit SimHash over shingles of three words: near-equal texts differ in few bits. */
import { wordsOf } from './words.ts';

const MIN_WORDS = 20;
const MAX_WORDS = 10_000;

function hashWord(word: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < word.length; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash;
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function vote(hash: number, sums: Int32Array, offset: number): void {
  for (let bit = 0; bit < 32; bit += 1) sums[offset + bit] = (sums[offset + bit] as number) + (((hash >>> bit) & 1) === 1 ? 1 : -1);
}

function half(sums: Int32Array, offset: number): string {
  let value = 0;
  for (let bit = 0; bit < 32; bit += 1) if ((sums[offset + bit] as number) > 0) value |= 1 << bit;
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** 16 hex characters; '' for texts under 20 words. */
export function simHash(text: string): string {
  const words = wordsOf(text, MAX_WORDS);
  if (words.length < MIN_WORDS) return '';
  const low = words.map((word) => hashWord(word, 0x811c9dc5));
  const high = words.map((word) => hashWord(word, 0x1b873593));
  const sums = new Int32Array(64);
  for (let i = 2; i < words.length; i += 1) {
    vote(mix(Math.imul(low[i - 2] as number, 31) + Math.imul(low[i - 1] as number, 17) + (low[i] as number)), sums, 0);
    vote(mix(Math.imul(high[i - 2] as number, 37) + Math.imul(high[i - 1] as number, 19) + (high[i] as number)), sums, 32);
  }
  return half(sums, 0) + half(sums, 32);
}

/** How many of the 64 bits differ. Both must be 16 hex characters. */
export function simHashDistance(a: string, b: string): number {
  let distance = 0;
  for (const at of [0, 8]) {
    let bits = (Number.parseInt(a.slice(at, at + 8), 16) ^ Number.parseInt(b.slice(at, at + 8), 16)) >>> 0;
    for (; bits !== 0; bits &= bits - 1) distance += 1;
  }
  return distance;
}
