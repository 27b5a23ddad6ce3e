/**
 * A short, readable list of what differs between two states: list items are matched by id, secrets are hidden and long
 * texts are cut.
 */
import { REDACTED } from '../domain/stored/redaction.ts';

/** `before` is absent for an added value, `after` for a removed one. */
export type Change = { readonly path: readonly string[]; readonly before?: unknown; readonly after?: unknown };

export type Differences = {
  readonly changes: readonly Change[];
  /** Number of changes beyond those listed. */
  readonly omitted: number;
};

/** Maximum number of changes listed per event. */
const MOST = 30;
/** An object added or removed as a whole is listed field by field up to this many fields. */
const FEW_FIELDS = 12;
const TEXT = 300;
const ITEMS = 5;

type Bag = Readonly<Record<string, unknown>>;

/** `secret`: names of fields whose values are always hidden; only the fact that they changed is shown. */
export function differences(before: unknown, after: unknown, secret: ReadonlySet<string>): Differences {
  const changes: Change[] = [];
  let omitted = 0;
  const add = (path: readonly string[], was: unknown, is: unknown): void => {
    if (changes.length >= MOST) omitted += 1;
    else if (typeof was === 'string' && typeof is === 'string') changes.push({ path, ...cutToChange(was, is) });
    else
      changes.push({
        path,
        ...(was === undefined ? {} : { before: brief(was, secret) }),
        ...(is === undefined ? {} : { after: brief(is, secret) }),
      });
  };
  const walk = (path: readonly string[], was: unknown, is: unknown): void => {
    if (was === is || (isNothing(was) && isNothing(is))) return;
    if (secret.has(path.at(-1) ?? '')) {
      if (JSON.stringify(was) !== JSON.stringify(is)) add(path, hiddenValue(was), hiddenValue(is));
    } else if (Array.isArray(was ?? is) && Array.isArray(is ?? was)) lists(path, was ?? [], is ?? [], walk, add);
    else if (isBag(was ?? is) && isBag(is ?? was)) bags(path, was, is, walk, add);
    else if (!Object.is(was, is)) add(path, was, is);
  };
  walk([], before, after);
  return { changes, omitted };
}

/** Characters before the first difference that are shown of a long text. */
const LEAD = 60;

/** Long texts that begin alike are cut before their first difference, at a space. */
function cutToChange(was: string, is: string): Pick<Change, 'before' | 'after'> {
  let alike = 0;
  while (alike < was.length && was[alike] === is[alike]) alike += 1;
  const isLong = Math.max(was.length, is.length) > TEXT;
  const from = isLong && alike > LEAD ? was.lastIndexOf(' ', alike - LEAD) + 1 : 0;
  const cut = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + TEXT)}${text.length > from + TEXT ? '…' : ''}`;
  return { before: cut(was), after: cut(is) };
}

type Walk = (path: readonly string[], was: unknown, is: unknown) => void;

function bags(path: readonly string[], was: unknown, is: unknown, walk: Walk, add: Walk): void {
  const [old, now] = [isBag(was) ? was : null, isBag(is) ? is : null];
  const whole = old && now ? null : (old ?? now);
  // Objects added or removed as a whole: small ones are listed field by field, larger ones as one change.
  if (path.length > 0 && whole && !hasFewFields(whole)) add(path, was, is);
  else
    for (const name of new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]))
      walk([...path, name], old?.[name], now?.[name]);
}

const hasFewFields = (value: Bag): boolean => {
  const fields = Object.values(value);
  return (
    fields.length > 0 &&
    fields.length <= FEW_FIELDS &&
    fields.every((field) => typeof field !== 'object' || field === null || Object.keys(field).length <= 4)
  );
};

function lists(path: readonly string[], was: unknown, is: unknown, walk: Walk, add: Walk): void {
  const [old, now] = [asList(was), asList(is)];
  const key = keyOf(old, now);
  if (key !== null) {
    const [before, after] = [byKey(old, key), byKey(now, key)];
    for (const id of new Set([...before.keys(), ...after.keys()])) walk([...path, id], before.get(id), after.get(id));
    return;
  }
  if ([...old, ...now].every((item) => typeof item !== 'object' || item === null)) {
    const [before, after] = [new Set(old), new Set(now)];
    for (const item of old) if (!after.has(item)) add(path, item, undefined);
    for (const item of now) if (!before.has(item)) add(path, undefined, item);
    return;
  }
  for (let at = 0; at < Math.max(old.length, now.length); at += 1) walk([...path, String(at + 1)], old[at], now[at]);
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const byKey = (items: readonly unknown[], key: string): ReadonlyMap<string, unknown> =>
  new Map(items.map((item) => [String(isBag(item) ? item[key] : ''), item]));

/** The field that identifies items in both lists: the first id-like field that is unique in each. */
function keyOf(old: readonly unknown[], now: readonly unknown[]): string | null {
  const first = old[0] ?? now[0];
  if (!isBag(first)) return null;
  const names = Object.keys(first).filter((name) => name === 'id' || name === 'key' || name.endsWith('Id'));
  return names.find((name) => [old, now].every((items) => isOwnOfEach(items, name))) ?? null;
}

function isOwnOfEach(items: readonly unknown[], name: string): boolean {
  const ids = items.map((item) => (isBag(item) ? item[name] : null));
  return new Set(ids).size === ids.length && ids.every((id) => typeof id === 'string' && id !== '');
}

/** All of these are shown as a dash. */
const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);

const hiddenValue = (value: unknown): unknown => (value === undefined || value === null ? value : REDACTED);

/** The whole value with secrets hidden. */
export function hidden(value: unknown, secret: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => hidden(item, secret));
  if (!isBag(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, secret.has(name) ? hiddenValue(field) : hidden(field, secret)]),
  );
}

/** The value with secrets hidden and long texts and lists cut. */
export function brief(value: unknown, secret: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return value.length > TEXT ? `${value.slice(0, TEXT)}…` : value;
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEMS).map((item) => brief(item, secret));
    return value.length > ITEMS ? [...items, `… ${value.length - ITEMS} more`] : items;
  }
  if (!isBag(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, secret.has(name) ? hiddenValue(field) : brief(field, secret)]),
  );
}
