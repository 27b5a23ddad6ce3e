/** What an export of events is of: a new range, or the rest of one that was begun before. */
import { eventExportOf } from '../../commands/eventExport/recordEventExport.ts';
import { type EventExportCommand, isResumable } from '../../domain/eventExport/eventExport.ts';
import { EVENT_TYPES } from '../../domain/eventTypes.ts';
import { EventStoreError, type Position, START } from '../../eventStore/eventStore.ts';
import { BOUND_TEXT, type Bound, boundOf, isReversed, unknownTypes } from '../../reports/events/eventRange.ts';
import type { EventsQuery } from '../contract/admin/events.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Caller } from '../request/caller.ts';
import { HttpError, invalidInput } from '../request/errors.ts';

export type RequestedExport = {
  readonly made: EventExportCommand['made'];
  /** Events after this position are sent. */
  readonly after: Position;
  readonly isNew: boolean;
};

type Sources = Pick<HttpDeps, 'store' | 'now' | 'newId'> & { readonly pseudonyms: { readonly fingerprint: string } };

/** @throws HttpError INVALID_INPUT, EVENT_EXPORT_NOT_FOUND */
export function requestedExport(deps: Sources, caller: Caller, query: EventsQuery): Promise<RequestedExport> {
  return query.resume === undefined ? newExport(deps, caller, query) : resumedExport(deps, caller, query, query.resume);
}

async function newExport(
  { store, newId, pseudonyms }: Sources,
  { userId, apiKey }: Caller,
  query: EventsQuery,
): Promise<RequestedExport> {
  const [from, to] = [typedBound('from', query.from), typedBound('to', query.to)];
  if (isReversed(from, to)) throw invalid('to', 'It is not after “from”, so that nothing lies between them');
  if (query.after !== undefined) throw invalid('after', 'It goes with “resume”. For a new export, use “from”');
  const types = query.types === undefined ? null : typedTypes(query.types);
  const head = await store.head();
  const after = from && 'position' in from ? from.position : START;
  // A position that this log never handed out: it is another log, or an older copy of it.
  if (after > head) throw invalid('from', `This log ends at the position ${head}`);
  await requirePosition(store, 'from', after);
  const made: RequestedExport['made'] = {
    exportId: newId(),
    userId,
    keyId: apiKey?.keyId ?? null,
    after,
    upTo: to && 'position' in to && to.position < head ? to.position : head,
    ...(from && 'at' in from ? { since: from.at } : {}),
    ...(to && 'at' in to ? { before: to.at } : {}),
    ...(types ? { types: [...types] } : {}),
    pseudonyms: pseudonyms.fingerprint,
  };
  return { made, after, isNew: true };
}

async function resumedExport(
  { store, now, pseudonyms }: Sources,
  { userId, apiKey }: Caller,
  query: EventsQuery,
  exportId: string,
): Promise<RequestedExport> {
  for (const name of ['from', 'to', 'types'] as const)
    if (query[name] !== undefined) throw invalid(name, 'A resumed export keeps the range and the types it began with');
  const known = await eventExportOf(store, exportId);
  const isOpen = known !== null && isResumable(known, { userId, keyId: apiKey?.keyId ?? null, at: now() });
  // With another key of pseudonyms, its parts would not join.
  if (!isOpen || known.pseudonyms !== pseudonyms.fingerprint)
    throw noSuchExport(known !== null && known.userId !== userId);
  const { exportedAt: _, ...made } = known;
  const after = query.after === undefined ? made.after : query.after.padStart(20, '0');
  if (after < made.after || after > made.upTo)
    throw invalid('after', `This export goes from the position ${made.after} to ${made.upTo}`);
  await requirePosition(store, 'after', after);
  return { made, after, isNew: false };
}

const noSuchExport = (anothers: boolean): HttpError =>
  new HttpError(
    'EVENT_EXPORT_NOT_FOUND',
    'You have no export with that id, or it began more than a day ago. Begin another one with “from”.',
    { details: { anothers } },
  );

/** @throws HttpError INVALID_INPUT */
function typedBound(name: 'from' | 'to', text: string | undefined): Bound | null {
  if (text === undefined) return null;
  const bound = boundOf(text);
  if (bound === null) throw invalid(name, BOUND_TEXT);
  return bound;
}

/** @throws HttpError INVALID_INPUT */
function typedTypes(text: string): ReadonlySet<string> {
  const types = new Set(text.split(',').filter((part) => part !== ''));
  if (types.size === 0) throw invalid('types', 'Name at least one type, or leave it out for all');
  if (types.size > EVENT_TYPES.length) throw invalid('types', `There are only ${EVENT_TYPES.length} types of events`);
  const [unknown] = unknownTypes([...types]);
  if (unknown !== undefined) throw invalid('types', `There is no type of event called ${unknown.slice(0, 60)}`);
  return types;
}

/** Some logs can be read on only from positions that they handed out. @throws HttpError INVALID_INPUT */
async function requirePosition(store: Sources['store'], name: 'from' | 'after', after: Position): Promise<void> {
  if (after === START) return;
  try {
    await store.readAll({ after, limit: 1 });
  } catch (error) {
    if (!(error instanceof EventStoreError) || error.code !== 'INVALID_POSITION') throw error;
    throw invalid(name, 'No event of this log is at that position');
  }
}

const invalid = (path: keyof EventsQuery, message: string): HttpError => invalidInput([{ path, message }]);
