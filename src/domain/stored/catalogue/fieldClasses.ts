/** What the fields of stored events say of people, so that what is given away for analysis says nothing of them. A test holds every field to this table. */
import { STORED } from '../registry.ts';
import type { StoredType } from '../storedType.ts';
import { type StoredField, storedFields } from './storedFields.ts';

/**
 * `safe`: of nobody: numbers, times, one of a list. `own`: a text of the product's own. `word`: the same as one word, which what looks like anything else
 * is not. `id`: of a thing or somebody. `stream`, `actor`: a name with an id in it. `host`, `url`: of somebody's site. `personal`: who somebody is.
 * `text`: what somebody wrote, or what stands on a site. `secret`: nobody sees it.
 */
export type FieldClass = 'safe' | 'own' | 'word' | 'id' | 'stream' | 'actor' | 'host' | 'url' | 'personal' | 'text' | 'secret';

const named = (fieldClass: FieldClass, names: string): readonly (readonly [string, FieldClass])[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, fieldClass]);

/**
 * By `Type.path`, by path, by the field's own name: the first that is known counts. A name that ends in `Id` or `Ids` is an id, a time, a yes or no, or one
 * of a list is safe. Numbers and texts have to be named.
 */
const CLASSES: ReadonlyMap<string, FieldClass> = new Map([
  // Counts and sizes.
  ...named('safe', 'attempt ask count part parts step version revertedTo rank quantity credits used stepNumber delayDays rating maxPages maxMs'),
  ...named('safe', 'pagesDone pagesKnown pagesAudited findings highImpact score fixed stillThere notChecked timeEstimate minutes status ms'),
  ...named(
    'safe',
    'points weight failed looked base lost cap pages from omitted rows redirects clicksFromStart titleLength words links images bytes firstByteMs',
  ),
  ...named('safe', 'rows.score.value'),
  ...named('safe', 'answer.dropped answers inputTokens outputTokens costMicros'),
  // Money.
  ...named('safe', 'amount balance funds price'),
  // Words of the product's own that no schema lists.
  ...named('word', 'currency period checkId code follower model cause.type kind revision rows.causes.check.id rows.checks FollowUpSetAside.error'),
  ...named('own', 'file files eventType prompt by CrawlPartRecorded.name'),
  ...named('id', 'id account discountCode paid.number kept campaign.source campaign.name'),
  ...named('stream', 'stream'),
  ...named('actor', 'JobCancelled.by'),
  ...named('personal', 'email formerEmail name agent network hint CreditsGranted.reason'),
  ...named('host', 'host'),
  ...named('url', 'url finalUrl canonical items.pages'),
  // What users, admins and language models wrote, and what stands on sites.
  ...named('text', 'title description subject content note notes reason problem solution codeExample businessValue timeToResult tags why fix source'),
  ...named('text', 'answer.refused text body coverage place value message because error h1 foundBy contentType rows.code'),
]);

const isId = (name: string): boolean => /(^id|Id|Ids)$/.test(name);

/** Null: nobody has said yet. */
export function classOf(type: string, { secret }: Pick<StoredType, 'secret'>, { path, kind }: Pick<StoredField, 'path' | 'kind'>): FieldClass | null {
  if (secret.some((known) => path === known || path.startsWith(`${known}.`))) return 'secret';
  if (kind === 'time' || kind === 'date' || kind === 'yesNo' || kind === 'choice') return 'safe';
  const name = path.slice(path.lastIndexOf('.') + 1);
  const found = CLASSES.get(`${type}.${path}`) ?? CLASSES.get(path) ?? CLASSES.get(name) ?? (isId(name) ? 'id' : null);
  // What is safe as a number need not be so as a text of the same name.
  return found === 'safe' && kind !== 'number' ? null : found;
}

/** Names and paths of the table, for the test that none of them is left over. */
export const CLASSIFIED: readonly string[] = [...CLASSES.keys()];

export type ClassifiedField = StoredField & { readonly class: FieldClass | null };

/** All fields of a type with what they say of people. */
export function classifiedFields(type: keyof typeof STORED): readonly ClassifiedField[] {
  const stored: StoredType = STORED[type];
  return storedFields(stored.schema).map((field) => ({ ...field, class: classOf(type, stored, field) }));
}
