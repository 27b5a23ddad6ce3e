/** Readable names and values for state fields. */
import type { HistoryChange } from '../../../../src/http/contract/admin/history.ts';
import { moneyText } from '../../../ui/text/money.ts';
import { exactTime } from '../../../ui/text/time.ts';
import { cutMiddle, grouped } from '../../../ui/text/wording.ts';

/** For names in the code that need a better word. */
const WORDS: Readonly<Record<string, string>> = {
  access: 'Shown',
  attempt: 'Attempt',
  begun: 'Work had begun',
  bounds: 'Limits',
  maxPages: 'Pages at most',
  maxMs: 'Time at most',
  pagesDone: 'Pages done',
  pagesKnown: 'Pages known',
  hadFindings: 'Findings could be read',
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

/** Integers in a currency's smallest unit. */
const MONEY = new Set(['amount', 'funds', 'price', 'balance', 'paid', 'refunded', 'disputed', 'takenBack']);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const IS_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
/** `free_allowance` */
const CODE_WORDS = /^[a-z]+(?:_[a-z]+)+$/;
const SHOWN = 160;

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

/** `currency`: the event's, used where the state has none. */
export function valueWords(path: readonly string[], value: unknown, currency: string | null): string {
  const name = path.at(-1) ?? '';
  if (value === null || value === undefined || value === '') return '–';
  if (value === '[redacted]') return 'hidden';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return numberWords(name, value, currency);
  if (typeof value === 'string') return textWords(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : cutMiddle(value.map((item) => valueWords([], item, currency)).join(', '), SHOWN);
  return cutMiddle(nameOf(value) ?? JSON.stringify(value), SHOWN);
}

function textWords(text: string): string {
  if (TIME.test(text)) return exactTime(text, 'seconds');
  return CODE_WORDS.test(text) ? text.replaceAll('_', ' ') : cutMiddle(text, SHOWN);
}

function numberWords(name: string, value: number, currency: string | null): string {
  if (MONEY.has(name) && Number.isInteger(value)) return moneyText(value, currency);
  if (name.endsWith('Ms')) return value >= 60_000 ? `${Math.round(value / 60_000)} min` : `${Math.round(value / 1_000)} s`;
  return Number.isInteger(value) && value >= 0 ? grouped(value) : String(value);
}

/** Display name of an object such as an action item, a link or a key. */
function nameOf(value: object): string | null {
  const { title, name, url, host }: { title?: unknown; name?: unknown; url?: unknown; host?: unknown } = value;
  return [title, name, host, url].find((text): text is string => typeof text === 'string' && text !== '') ?? null;
}

export const cameOrWent = ({ before, after }: HistoryChange): 'came' | 'went' | 'changed' =>
  before === undefined || before === null ? 'came' : after === undefined ? 'went' : 'changed';
