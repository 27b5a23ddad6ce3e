/**
 * Classifies the fields of stored events by what they reveal about people, so that exports for analysis contain no
 * personal data. A test requires every field to be in this table.
 */
import { STORED } from '../registry.ts';
import type { StoredType } from '../storedType.ts';
import { type StoredField, storedFields } from './storedFields.ts';

/**
 * `safe`: says nothing about anyone: numbers, times, choices. `own`: text written by the product. `word`: a single such
 * word; values that look like anything else are not exported. `id`: of an object or a person. `stream`, `actor`: a name
 * that contains an id. `host`, `url`: of a user's site. `personal`: identifies a person. `text`: written by a person,
 * or taken from a site. `secret`: never shown to anyone.
 */
export type FieldClass =
  | 'safe'
  | 'own'
  | 'word'
  | 'id'
  | 'stream'
  | 'actor'
  | 'host'
  | 'url'
  | 'personal'
  | 'text'
  | 'secret';

const named = (fieldClass: FieldClass, names: string): readonly (readonly [string, FieldClass])[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, fieldClass]);

/**
 * Looked up by `Type.path`, then path, then field name. Names that end in `Id` or `Ids` are ids; times, booleans and
 * choices are safe. Numbers and texts must be listed.
 */
const CLASSES: ReadonlyMap<string, FieldClass> = new Map([
  // Counts and sizes.
  ...named(
    'safe',
    'attempt ask count part parts step version revertedTo rank quantity credits used stepNumber delayDays rating maxPages maxMs',
  ),
  ...named(
    'safe',
    'pagesDone pagesKnown pagesAudited findings highImpact score formula siteMark fixed stillThere notChecked timeEstimate minutes status ms',
  ),
  ...named(
    'safe',
    'points counter weight failed looked base lost cap pages from omitted rows redirects clicksFromStart titleLength words links allLinks images bytes firstByteMs',
  ),
  ...named(
    'safe',
    'rows.inlinks rows.outlinks rows.externalLinks rows.pageRank rows.descriptionLength rows.h1s rows.imagesWithoutAlt',
  ),
  ...named('safe', 'rows.score.value rows.score.formula percent'),
  ...named('safe', 'days.counts.count days.ranOut days.opened days.bought days.left'),
  ...named('safe', 'answer.dropped answers inputTokens outputTokens costMicros'),
  // Money.
  ...named('safe', 'amount balance funds price monthly listAmount limit'),
  // The product's own words that no schema enumerates.
  ...named(
    'word',
    'currency period checkId code discountCode follower model cause.type kind revision codes TalliesSummed.month days.day rows.causes.check.id rows.checks FollowUpSetAside.error after upTo types pseudonyms transports proofs.provider IdentityLinked.provider AccountAdminGranted.provider AccountAdminRevoked.provider',
  ),
  ...named('own', 'file files eventType prompt by CrawlPartRecorded.name'),
  ...named('id', 'id retryOf account paid.number kept campaign.source campaign.name'),
  ...named('stream', 'stream'),
  ...named('actor', 'JobCancelled.by'),
  ...named(
    'personal',
    'email formerEmail name agent network hint IdentityLinked.subject CreditsGranted.reason BillingNoteWritten.text',
  ),
  ...named('host', 'host'),
  ...named('url', 'url issuer finalUrl canonical items.pages'),
  // Written by users, admins and language models, or taken from sites.
  ...named(
    'text',
    'title description subject content note notes reason problem solution codeExample businessValue timeToResult tags risk gain steps rows.causes.check.example.before rows.causes.check.example.after rows.edit.at rows.edit.on lookedAt source',
  ),
  ...named(
    'text',
    'answer.refused text body coverage place value message because error h1 foundBy contentType rows.template rows.lang rows.dataTypes rows.code rows.root.name rows.causes.roots.name',
  ),
  ...named('text', 'settings.folder settings.include settings.exclude'),
]);

const isId = (name: string): boolean => /(^id|Id|Ids)$/.test(name);

/** Null if unclassified. */
export function classOf(
  type: string,
  { secret }: Pick<StoredType, 'secret'>,
  { path, kind }: Pick<StoredField, 'path' | 'kind'>,
): FieldClass | null {
  if (secret.some((known) => path === known || path.startsWith(`${known}.`))) return 'secret';
  if (kind === 'time' || kind === 'date' || kind === 'yesNo' || kind === 'choice') return 'safe';
  const name = path.slice(path.lastIndexOf('.') + 1);
  const found = CLASSES.get(`${type}.${path}`) ?? CLASSES.get(path) ?? CLASSES.get(name) ?? (isId(name) ? 'id' : null);
  // A name that is safe as a number is not necessarily safe as a text.
  return found === 'safe' && kind !== 'number' ? null : found;
}

/** Names and paths in the table, for the test that none of them is unused. */
export const CLASSIFIED: readonly string[] = [...CLASSES.keys()];

export type ClassifiedField = StoredField & { readonly class: FieldClass | null };

/** All fields of a type with their classes. */
export function classifiedFields(type: keyof typeof STORED): readonly ClassifiedField[] {
  const stored: StoredType = STORED[type];
  return storedFields(stored.schema).map((field) => ({ ...field, class: classOf(type, stored, field) }));
}
