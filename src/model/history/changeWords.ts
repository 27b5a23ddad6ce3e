/** Readable names and values of state fields, for the history pages and their CSV. */
/** Code names that need a better word. */
const WORDS: Readonly<Record<string, string>> = {
  access: 'Shown',
  attempt: 'Attempt',
  begun: 'Work had begun',
  bounds: 'Limits',
  maxPages: 'Pages at most',
  maxMs: 'Time at most',
  settings: 'Crawl settings',
  include: 'Only pages like',
  exclude: 'Without pages like',
  pagesDone: 'Pages done',
  pagesKnown: 'Pages known',
  hadFindings: 'Findings could be read',
  givenBackFor: 'Given back for',
  url: 'Address',
  host: 'Site',
  userId: 'User',
  upTo: 'Events',
  passwordHash: 'Password',
  emailProof: 'Proof of the email',
  isAdmin: 'May administer',
  taken: 'Taken',
  takenBack: 'Taken back',
};

/** Integers in the smallest unit of a currency, except below `used`, which counts audits by what paid for them. */
const MONEY = new Set(['amount', 'funds', 'price', 'balance', 'paid', 'refunded', 'disputed', 'takenBack']);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const IS_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
/** `free_allowance` */
const CODE_WORDS = /^[a-z]+(?:_[a-z]+)+$/;

/** 'Limits › Pages at most'. */
export const pathWords = (path: readonly string[]): string => path.map(segmentWords).join(' › ');

function segmentWords(name: string): string {
  if (Object.hasOwn(WORDS, name)) return WORDS[name] ?? name;
  if (IS_ID.test(name)) return name.slice(0, 8);
  if (CODE_WORDS.test(name)) return name.replaceAll('_', ' ');
  if (!/^[a-z]+(?:[A-Z][a-z]*)*$/.test(name)) return name;
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ (?:at|id)$/, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Formats money, times, numbers and long texts for a reader. */
export type ValueTexts = {
  /** In the smallest unit of the currency; null means dollars. */
  readonly money: (amount: number, currency: string | null) => string;
  readonly time: (iso: string) => string;
  /** A non-negative whole number. */
  readonly number: (number: number) => string;
  readonly long: (text: string) => string;
};

/** `currency`: the event's, used if the state has none. */
export function valueWords(
  texts: ValueTexts,
  path: readonly string[],
  value: unknown,
  currency: string | null,
): string {
  if (value === null || value === undefined || value === '') return '–';
  if (value === '[redacted]') return 'hidden';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return numberWords(texts, path, value, currency);
  if (typeof value === 'string') return textWords(texts, value);
  if (Array.isArray(value))
    return value.length === 0
      ? 'none'
      : texts.long(value.map((item) => valueWords(texts, [], item, currency)).join(', '));
  return texts.long(nameOf(value) ?? JSON.stringify(value));
}

function textWords({ time, long }: ValueTexts, text: string): string {
  if (TIME.test(text)) return time(text);
  return CODE_WORDS.test(text) ? text.replaceAll('_', ' ') : long(text);
}

function numberWords(
  { money, number }: ValueTexts,
  path: readonly string[],
  value: number,
  currency: string | null,
): string {
  const name = path.at(-1) ?? '';
  if (MONEY.has(name) && !path.includes('used') && Number.isInteger(value)) return money(value, currency);
  if (name.endsWith('Ms'))
    return value >= 60_000 ? `${Math.round(value / 60_000)} min` : `${Math.round(value / 1_000)} s`;
  return Number.isInteger(value) && value >= 0 ? number(value) : String(value);
}

/** Display name of an object such as an action item, a link or a key. */
function nameOf(value: object): string | null {
  const { title, name, url, host }: { title?: unknown; name?: unknown; url?: unknown; host?: unknown } = value;
  return [title, name, host, url].find((text): text is string => typeof text === 'string' && text !== '') ?? null;
}
