/** Signs of a place that people can visit: opening hours and a postal address. */
import type { PageFacts } from '../pageFacts.ts';

const END = 2000;
const SHOWN = 100;
const DAY =
  '(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|lunes|martes|viernes|sábado|domingo|gio|sab|dom)[a-zé]{0,7}\\.?';
const TIMES =
  '\\d{1,2}(?:[:.h]\\d{2})?\\s?(?:am|pm|a\\.m\\.|p\\.m\\.|uhr|h)?\\s?(?:[-–—]|to|bis|à|a)\\s?\\d{1,2}(?:[:.h]\\d{2}|\\s?(?:am|pm|a\\.m\\.|p\\.m\\.|uhr|h)\\b)';
const TIME_RANGE = new RegExp(TIMES, 'i');
/**
 * One or more days, then a time range. Compiled when it is first used, which takes a process 45 ms: only for a text
 * with a time range.
 */
const HOURS = new RegExp(
  `\\b${DAY}(?:\\s?(?:[-–—,&+]|to|bis|au|a|al|and|und)\\s?${DAY}){0,3}:?\\s{0,2}(?:from |von |de )?${TIMES}`,
  'i',
);
/** Street and number next to a postal code, in the formats of several countries. */
const ADDRESSES: readonly RegExp[] = [
  /\b\d{1,5} (?:[NSEW]\.? )?[A-Z][A-Za-z.'-]{1,20}(?: [A-Z][A-Za-z.'-]{1,20}){0,2},? [^<>\d]{0,40}\b[A-Z]{2} \d{5}\b/,
  /\b\d{1,4}[A-Za-z]? [A-Z][A-Za-z.'-]{1,20}(?: [A-Z][A-Za-z.'-]{1,20}){0,3},? [^<>\d]{0,40}\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/,
  /\b(?:[A-ZÄÖÜ][a-zäöüß-]{0,30})?(?:[Ss]traße|[Ss]trasse|[Ss]tr\.|[Ww]eg|[Pp]latz|[Gg]asse|[Aa]llee|[Rr]ing|[Dd]amm|[Uu]fer) \d{1,4} ?[a-z]?(?:,| ·| \||)? (?:[A-Z]{1,2}-)?\d{4,5} [A-ZÄÖÜ][a-zäöüß-]{0,30}/,
  /\b\d{1,4}(?: ?bis)?,? (?:rue|avenue|av\.|boulevard|bd|place|chemin|quai|allée|impasse) [^<>\d]{2,40} \d{5} [A-Z][a-zà-ÿ-]{0,30}/i,
  /\b(?:via|viale|piazza|corso|calle|c\/|avenida|avda\.?|plaza|paseo|rua) [^<>\d]{2,40}\d{1,4}[^<>\d]{0,10} \d{5} [A-Z][a-zà-ÿ-]{0,30}/i,
];

/**
 * Takes the `content` and the `frame` around it, with white space folded. Only the start and end of each are searched:
 * hours and addresses appear there.
 */
export function visitingSigns(content: string, frame: string): PageFacts['visiting'] {
  const read = `${ends(content)} ${ends(frame)}`;
  const hours = TIME_RANGE.test(read) ? (HOURS.exec(read)?.[0] ?? null) : null;
  let address: string | null = null;
  for (const pattern of ADDRESSES) address ??= pattern.exec(read)?.[0].slice(0, SHOWN) ?? null;
  return hours === null && address === null ? null : { hours: hours?.slice(0, SHOWN) ?? null, address };
}

function ends(text: string): string {
  return text.length > 2 * END ? `${text.slice(0, END)} ${text.slice(-END)}` : text;
}
