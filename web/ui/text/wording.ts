/** Small texts shared by several screens. */
import { readableHost } from '../../../src/model/readableAddress.ts';

/** A host for display. */
export function hostWithoutWww(host: string): string {
  return readableHost(host.replace(/^www\./i, ''));
}

/** Cuts the middle of a long address, since both ends tell pages apart. */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.ceil((length - 1) * 0.6);
  return `${text.slice(0, head)}…${text.slice(text.length - (length - 1 - head))}`;
}

/** An integer with commas: '12,400'. Formatted by hand, for the reason given in `time.ts`. */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** Seconds as a readable range: 'about 2–3 min'. */
export function etaText({ from, to }: { readonly from: number; readonly to: number }): string {
  if (to < 10) return 'a few seconds';
  if (to < 90) return range(roundTo(from, 5), roundTo(to, 5), 's');
  const least = Math.max(1, Math.floor(from / 60));
  return range(least, Math.max(least, Math.ceil(to / 60)), 'min');
}

const roundTo = (seconds: number, step: number): number => Math.max(step, Math.round(seconds / step) * step);
const range = (from: number, to: number, unit: string): string =>
  from >= to ? `about ${to} ${unit}` : `about ${from}–${to} ${unit}`;

export function titleCase(words: string): string {
  return words.replaceAll(/[_-]/g, ' ').replaceAll(/\b\w/g, (letter) => letter.toUpperCase());
}

/** Removes markdown syntax, for a preview of a few words. */
export function stripMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s{0,3}(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, '')
    .replaceAll(/^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/gm, ' ')
    .replaceAll(/[*`~]+|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
