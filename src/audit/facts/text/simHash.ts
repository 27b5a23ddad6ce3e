/**
 * Fingerprint of a text over its three-word shingles. The first 16 hex characters are a 64-bit SimHash: near-duplicates
 * differ in few bits, so they are found without comparing every pair. The rest is a MinHash-style sketch that estimates
 * how similar two texts are.
 */
import { isUnspaced, isWordCode } from './words.ts';

const MIN_WORDS = 20;
const MAX_WORDS = 20_000;
const SIM_HASH_LENGTH = 16;
/** Must be a power of two. */
const SKETCH_PARTS = 64;
const EMPTY_PART = 0xffff;

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/**
 * Each bit of the result is a vote of all shingles. Votes are counted per byte value and converted to bits only at the
 * end, which saves most of the work on long texts.
 */
class Votes {
  readonly #counts = new Int32Array(8 * 256);
  readonly #smallest = new Int32Array(SKETCH_PARTS).fill(EMPTY_PART);
  #shingles = 0;

  add(low: number, high: number): void {
    this.#count(0, low & 255);
    this.#count(1, (low >>> 8) & 255);
    this.#count(2, (low >>> 16) & 255);
    this.#count(3, low >>> 24);
    this.#count(4, high & 255);
    this.#count(5, (high >>> 8) & 255);
    this.#count(6, (high >>> 16) & 255);
    this.#count(7, high >>> 24);
    this.#shingles += 1;
    const part = (low ^ high) & (SKETCH_PARTS - 1);
    const value = high >>> 17;
    if (value < (this.#smallest[part] as number)) this.#smallest[part] = value;
  }

  #count(at: number, byte: number): void {
    const counts = this.#counts;
    counts[at * 256 + byte] = (counts[at * 256 + byte] as number) + 1;
  }

  /** The smallest hash in each bucket of shingles, 4 hex characters each. */
  sketch(): string {
    let sketch = '';
    for (const value of this.#smallest) sketch += value.toString(16).padStart(4, '0');
    return sketch;
  }

  /** 8 hex characters for the four bytes starting at `first`. */
  half(first: number): string {
    let value = 0;
    for (let bit = 0; bit < 32; bit += 1) {
      const base = (first + (bit >>> 3)) * 256;
      let set = 0;
      for (let byte = 0; byte < 256; byte += 1)
        if (((byte >>> (bit & 7)) & 1) === 1) set += this.#counts[base + byte] as number;
      if (2 * set > this.#shingles) value |= 1 << bit;
    }
    return (value >>> 0).toString(16).padStart(8, '0');
  }
}

/** Hex characters; '' for texts under 20 words. In unspaced scripts each letter counts as a word. One pass. */
export function simHash(text: string): string {
  const lower = text.toLowerCase();
  const votes = new Votes();
  // Two hashes of each of the last three words, oldest first.
  let lowA = 0;
  let lowB = 0;
  let highA = 0;
  let highB = 0;
  let low = 0;
  let high = 0;
  let words = 0;
  let inWord = false;
  for (let i = 0; i <= lower.length && words < MAX_WORDS; i += 1) {
    const code = i < lower.length ? lower.charCodeAt(i) : 0x20;
    const unspaced = code > 0xdff && isUnspaced(code);
    if (!unspaced && isWordCode(code)) {
      low = Math.imul((inWord ? low : 0x811c9dc5) ^ code, 0x01000193);
      high = Math.imul((inWord ? high : 0x1b873593) ^ code, 0x5bd1e995);
      inWord = true;
      continue;
    }
    for (let ends = (inWord ? 1 : 0) + (unspaced ? 1 : 0); ends > 0; ends -= 1) {
      if (!inWord) {
        low = Math.imul(0x811c9dc5 ^ code, 0x01000193);
        high = Math.imul(0x1b873593 ^ code, 0x5bd1e995);
      }
      inWord = false;
      words += 1;
      if (words > 2)
        votes.add(
          mix(Math.imul(lowA, 31) + Math.imul(lowB, 17) + low),
          mix(Math.imul(highA, 37) + Math.imul(highB, 19) + high),
        );
      lowA = lowB;
      lowB = low;
      highA = highB;
      highB = high;
    }
  }
  return words < MIN_WORDS ? '' : votes.half(0) + votes.half(4) + votes.sketch();
}

/** 64 bits. */
export type SimHash = { readonly low: number; readonly high: number };

/** A parsed fingerprint, for repeated comparisons. */
export type Sketch = SimHash & { readonly parts: Uint16Array };

/** `fingerprint` must not be ''. */
export function sketchOf(fingerprint: string): Sketch {
  const parts = Uint16Array.from({ length: SKETCH_PARTS }, (_, at) =>
    Number.parseInt(fingerprint.slice(SIM_HASH_LENGTH + 4 * at, SIM_HASH_LENGTH + 4 * at + 4), 16),
  );
  return {
    low: Number.parseInt(fingerprint.slice(0, 8), 16),
    high: Number.parseInt(fingerprint.slice(8, SIM_HASH_LENGTH), 16),
    parts,
  };
}

/** Number of bits, out of 64, in which the two SimHashes differ. */
export function simHashDistance(a: SimHash, b: SimHash): number {
  return bitsOf(a.low ^ b.low) + bitsOf(a.high ^ b.high);
}

/** Number of set bits in a 32-bit integer. */
function bitsOf(value: number): number {
  const pairs = value - ((value >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Estimated share of shingles two texts have in common, 0 to 1, within about 0.04. */
export function likeness(a: Sketch, b: Sketch): number {
  let filled = 0;
  let equal = 0;
  for (let at = 0; at < SKETCH_PARTS; at += 1) {
    const part = a.parts[at];
    const other = b.parts[at];
    if (part === EMPTY_PART && other === EMPTY_PART) continue;
    filled += 1;
    if (part === other) equal += 1;
  }
  return filled === 0 ? 0 : equal / filled;
}
