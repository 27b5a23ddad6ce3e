/** Events of a stream and what they changed, for admins. */
import { stringify } from 'csv-stringify/sync';
import type { Actor } from '../../../domain/stored/metadata.ts';
import { redacted } from '../../../domain/stored/redaction.ts';
import { storedType } from '../../../domain/stored/registry.ts';
import { versionOf } from '../../../domain/stored/storedType.ts';
import type { RecordedEvent } from '../../../eventStore/eventStore.ts';
import { brief, type Change, hidden } from '../../../history/differences.ts';
import type { HistoryStep } from '../../../history/history.ts';
import type { StreamKind } from '../../../history/streams.ts';
import { pathWords, type ValueTexts, valueWords } from '../../../model/history/changeWords.ts';
import { eventWords } from '../../../model/history/eventWords.ts';
import { moneyText } from '../../../model/money.ts';
import type { HistoryEventView } from '../../contract/admin/history.ts';

/** Emails of known users, by user id. */
export type EmailOf = ReadonlyMap<string, string>;

const NO_FIELDS: ReadonlySet<string> = new Set();

/** `kind`: kind of the stream, including its additional secrets. `whole`: with all its data, however long. */
export function presentStep(
  { event, differences }: HistoryStep,
  { alsoSecret }: Pick<StreamKind, 'alsoSecret'>,
  emailOf: EmailOf,
  whole = false,
): HistoryEventView {
  const { type, metadata, unreadable = null } = event;
  const { changes, omitted } = differences();
  const data = unreadable === null ? hiddenFields(redacted(type, event.data), new Set(alsoSecret)) : {};
  const known = storedType(type);
  const version = metadata.schemaVersion ?? 1;
  return {
    ...presentWho(metadata.actor, emailOf),
    revision: Number(event.revision),
    id: event.id,
    type,
    title: unreadable === null ? eventWords(type) : 'An event that this version cannot read',
    at: metadata.at,
    position: event.position,
    correlation_id: metadata.correlationId,
    causation_id: metadata.causationId,
    stored_version: event.storedVersion ?? version,
    version: known && unreadable === null ? versionOf(known) : version,
    unreadable,
    data: whole
      ? data
      : Object.fromEntries(Object.entries(data).map(([name, value]) => [name, brief(value, NO_FIELDS)])),
    changes: changes.map((change) => ({ ...change, path: [...change.path] })),
    omitted,
  };
}

const hiddenFields = (
  data: Readonly<Record<string, unknown>>,
  secret: ReadonlySet<string>,
): Readonly<Record<string, unknown>> => (secret.size === 0 ? data : { ...(hidden(data, secret) as object) });

/** The event that explains why something is gone. */
export function presentDeletion({ stream, type, metadata }: RecordedEvent, emailOf: EmailOf) {
  return { ...presentWho(metadata.actor, emailOf), stream, type, title: eventWords(type), at: metadata.at };
}

/** Ids of the users named by the actors. */
export const usersIn = (actors: readonly Actor[]): readonly string[] => [
  ...new Set(
    actors.flatMap(({ kind, id, onBehalfOf }) => [
      ...(kind === 'user' || kind === 'admin' ? [id] : []),
      ...(onBehalfOf === undefined ? [] : [onBehalfOf]),
    ]),
  ),
];

/** The actor as a display name and as recorded. */
export function presentWho(actor: Actor, emailOf: EmailOf) {
  const { kind, id, onBehalfOf = null } = actor;
  return { by: byOf(actor, emailOf), actor: { kind, id, on_behalf_of: onBehalfOf } };
}

function byOf({ kind, id, onBehalfOf }: Actor, emailOf: EmailOf): string {
  const named = (userId: string): string => emailOf.get(userId) ?? 'a deleted account';
  switch (kind) {
    case 'user':
      return emailOf.get(id) ?? 'A deleted account';
    case 'apiKey':
      return onBehalfOf === undefined ? 'An API key' : `An API key of ${named(onBehalfOf)}`;
    case 'admin':
      return onBehalfOf === undefined
        ? `${named(id)}, as an admin`
        : `${named(id)}, as an admin for ${named(onBehalfOf)}`;
    case 'worker':
      return 'A worker';
    case 'anonymous':
      return 'Somebody who was not logged in';
    default:
      return id === 'operator' ? 'An operator' : 'The system';
  }
}

const COLUMNS = [
  'revision',
  'time',
  'type',
  'event',
  'by',
  'actor_kind',
  'actor_id',
  'on_behalf_of',
  'changes',
  'data',
  'correlation_id',
  'causation_id',
  'stored_version',
  'event_id',
  'position',
];

/** The header line. */
export const HISTORY_CSV_HEAD = `\ufeff${COLUMNS.join(',')}\r\n`;

/** One event as a CSV line. Cells that a spreadsheet would treat as formulas are escaped. */
export function historyCsvLine(event: HistoryEventView): string {
  const { actor, changes, omitted, ...rest } = event;
  const currency = typeof rest.data.currency === 'string' ? rest.data.currency : null;
  const row = {
    revision: rest.revision,
    time: rest.at,
    type: rest.type,
    event: rest.title,
    by: rest.by,
    actor_kind: actor.kind,
    actor_id: actor.id,
    on_behalf_of: actor.on_behalf_of ?? '',
    changes: [
      ...changes.map((change) => changeText(change, currency)),
      ...(omitted > 0 ? [`and ${omitted} more`] : []),
    ].join('\n'),
    data: JSON.stringify(rest.data),
    correlation_id: rest.correlation_id,
    causation_id: rest.causation_id,
    stored_version: rest.stored_version,
    event_id: rest.id,
    position: rest.position,
  };
  // A formula can hide behind leading white space.
  const cast = { string: (text: string) => (/^\s+[=+\-@]/.test(text) ? `'${text}` : text) };
  return stringify([row], { columns: COLUMNS, escape_formulas: true, record_delimiter: 'windows', cast });
}

/** As the page has them; times stay UTC, and nothing is cut. */
const CSV_TEXTS: ValueTexts = {
  money: (amount, currency) => moneyText({ amount, currency: currency ?? 'usd' }),
  time: (iso) => iso,
  number: (number) => number.toLocaleString('en-US'),
  long: (text) => text,
};

function changeText({ path, before, after }: Change, currency: string | null): string {
  if (before === '[redacted]' && after === '[redacted]') return `${pathWords(path)}: replaced (hidden)`;
  const words = (value: unknown): string => valueWords(CSV_TEXTS, path, value, currency);
  return `${pathWords(path)}: ${words(before)} -> ${words(after)}`;
}
