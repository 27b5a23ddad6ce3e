/**
 * The history of any stream, for admins: its events, what each changed, and its states. Each view of another user's
 * data is recorded.
 */
import * as z from 'zod';
import { emailStreamOf } from '../../../commands/account/emailStreamOf.ts';
import { jobIdOfShareToken } from '../../../commands/share/shareTokens.ts';
import type { Actor } from '../../../domain/stored/metadata.ts';
import { hidden } from '../../../history/differences.ts';
import { findStreams } from '../../../history/findStreams.ts';
import { withMaskedReasons } from '../../../history/maskedReasons.ts';
import { deletionOf, isJobDeleted, ownerOf } from '../../../history/owner.ts';
import {
  type HistoryFilter,
  type HistoryPlace,
  readHistory,
  readStep,
  wholeHistory,
} from '../../../history/readHistory.ts';
import { kindOf, type StreamKind, secretFields, withoutSite } from '../../../history/streams.ts';
import { beginningOfEmail } from '../../../model/emailAddress.ts';
import { listAccountsByEmail, listAccountsById } from '../../../projections/accounts.ts';
import { recordView } from '../../auth/administering.ts';
import {
  FindQuery,
  FoundStreamsResponse,
  HistoryExport,
  HistoryExportQuery,
  HistoryQuery,
  HistoryResponse,
  HistoryStateQuery,
  HistoryStateResponse,
  StreamName,
} from '../../contract/admin/history.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import {
  HISTORY_CSV_HEAD,
  historyCsvLine,
  presentDeletion,
  presentStep,
  usersIn,
} from '../../present/admin/history.ts';
import { HttpError } from '../../request/errors.ts';
import { Download } from '../../request/reply.ts';
import { type RouteRequest, route } from '../../routing/route.ts';

const StreamParams = z.object({ stream: StreamName });
const EVENTS = 100;

type Looking = Pick<
  RouteRequest<{ readonly stream: string }, unknown, unknown, 'admin'>,
  'deps' | 'caller' | 'command' | 'params'
>;
type Subject = {
  readonly store: HttpDeps['store'];
  readonly stream: string;
  readonly kind: StreamKind;
  readonly id: string;
  readonly ownerId: string | null;
};

export const getStreamHistory = route({
  method: 'GET',
  path: '/admin/history/streams/{stream}',
  access: 'admin',
  summary: 'List the events of a stream, page by page, each with what it changed. The view is recorded',
  params: StreamParams,
  query: HistoryQuery,
  response: HistoryResponse,
  refusals: ['NOT_FOUND'],
  handler: async (request) => {
    const { deps, query, signal } = request;
    const subject = await subjectOf(request);
    const { kind, stream, ownerId } = subject;
    const newestFirst = query.order !== 'oldest';
    const filter = await filterOf(deps, query, subject.kind);
    const page = await readHistory(
      { ...subject, signal },
      { place: placeOf(query, newestFirst), filter, limit: query.limit ?? EVENTS },
    );
    if (page.status === 'missing') throw noSuchStream();
    const [steps, deletion] =
      page.status === 'found'
        ? [page.steps, page.first > 0n ? page.firstEvent : null]
        : [[], await deletionOf(deps.store, subject)];
    const emailOf = await emailsOf(
      deps,
      [...steps.map(({ event }) => event.metadata.actor), ...(deletion ? [deletion.metadata.actor] : [])],
      ownerId,
    );
    const events = steps.map((step) => presentStep(step, kind, emailOf));
    return {
      success: true as const,
      data: {
        stream,
        kind: kind.name,
        types: Object.keys(kind.types),
        has_states: kind.initial !== null,
        status: page.status,
        owner: ownerId === null ? null : { id: ownerId, email: emailOf.get(ownerId) ?? null },
        deletion: deletion && presentDeletion(deletion, emailOf),
        events: newestFirst ? events.toReversed() : events,
        ...endsOf(page),
      },
    };
  },
});

export const getStreamState = route({
  method: 'GET',
  path: '/admin/history/streams/{stream}/state',
  access: 'admin',
  summary: 'Get one event of a stream as stored, with the whole state before and after it. The view is recorded',
  params: StreamParams,
  query: HistoryStateQuery,
  response: HistoryStateResponse,
  refusals: ['NOT_FOUND'],
  handler: async (request) => {
    const { deps, query, signal } = request;
    const subject = await subjectOf(request);
    const step = await readStep({ ...subject, signal }, query.at === undefined ? null : BigInt(query.at));
    if (!step) throw new HttpError('NOT_FOUND', 'There is no such event.');
    const secret = secretFields(subject.kind);
    const emailOf = await emailsOf(deps, [step.event.metadata.actor], null);
    return {
      success: true as const,
      data: {
        event: presentStep(step, subject.kind, emailOf, true),
        before: hidden(step.before.shown(), secret),
        after: hidden(step.after.shown(), secret),
      },
    };
  },
});

export const exportStreamHistory = route({
  method: 'GET',
  path: '/admin/history/streams/{stream}/export',
  access: 'admin',
  limit: 'submit',
  summary: 'Download all matching events of a stream, each with what it changed, as JSON or CSV. The view is recorded',
  params: StreamParams,
  query: HistoryExportQuery,
  response: HistoryExport,
  sendsFiles: true,
  refusals: ['NOT_FOUND'],
  handler: async (request) => {
    const { deps, query } = request;
    const subject = await subjectOf(request);
    if ((await deps.store.read(subject.stream, { limit: 1 })).status === 'missing') throw noSuchStream();
    const filter = await filterOf(deps, query, subject.kind);
    const write = query.format === 'csv' ? csvOf : jsonOf;
    return new Download(`history-${subject.stream}.${query.format ?? 'json'}`, write(deps, subject, filter));
  },
});

export const findHistory = route({
  method: 'GET',
  path: '/admin/history/find',
  access: 'admin',
  summary:
    'Find the streams about something by its id, an email, an address of the product or an id from the payment provider',
  query: FindQuery,
  response: FoundStreamsResponse,
  handler: async ({ deps: { store, readModels, now }, query }) => {
    const { q = '' } = query;
    const from = { store, readModels, now, emailStreamOf, jobIdOfToken: jobIdOfShareToken };
    const found = q === '' ? [] : await findStreams(from, q);
    return { success: true as const, data: [...found] };
  },
});

const noSuchStream = (): HttpError => new HttpError('NOT_FOUND', 'There is no such stream.');

/**
 * Records the view before anything is shown. For a deleted job, nothing reveals its site.
 * @throws HttpError NOT_FOUND
 */
async function subjectOf(request: Looking): Promise<Subject> {
  const { deps, params } = request;
  const known = kindOf(params.stream);
  if (!known) throw noSuchStream();
  const place = { ...known, stream: params.stream };
  const ownerId = await ownerOf(deps, place);
  const { thing, ownedBy } = known.kind;
  const isOfJob = ownedBy === 'job' && (thing === 'job' || thing === 'report');
  if (ownerId !== null) await recordView(request, { ownerId, thing, thingId: isOfJob ? known.id : ownerId });
  const isGone = ownedBy === 'job' && (await isJobDeleted(deps.store, known.id, ownerId));
  return {
    store: withMaskedReasons(deps.store),
    ...place,
    kind: isGone ? withoutSite(known.kind) : known.kind,
    ownerId,
  };
}

function placeOf({ after, before }: z.output<typeof HistoryQuery>, newestFirst: boolean): HistoryPlace {
  if (after !== undefined) return { direction: 'forward', from: BigInt(after) + 1n };
  if (before !== undefined) return { direction: 'backward', from: BigInt(before) - 1n };
  return { direction: newestFirst ? 'backward' : 'forward', from: null };
}

/** Where the adjacent pages start. */
function endsOf(page: Awaited<ReturnType<typeof readHistory>>) {
  if (page.status !== 'found') return { first: null, last: null, older: null, newer: null };
  const { first, last, seen } = page;
  return {
    first: Number(first),
    last: Number(last),
    older: seen && seen.from > first ? Number(seen.from) : null,
    newer: seen && seen.to < last ? Number(seen.to) : null,
  };
}

type RequestedFilter = z.output<typeof HistoryQuery> | z.output<typeof HistoryExportQuery>;

async function filterOf(
  deps: HttpDeps,
  { types, actor, from, to }: RequestedFilter,
  kind: StreamKind,
): Promise<HistoryFilter> {
  return {
    types: types?.split(','),
    actors: actor === undefined ? undefined : await actorsOf(deps, actor, kind),
    from,
    to,
  };
}

/**
 * The kind `admin` is for acting on a user's behalf: what nobody owns is changed by admins as themselves, of the kind
 * `user`.
 */
async function actorsOf({ readModels }: HttpDeps, actor: string, { ownedBy }: StreamKind): Promise<readonly string[]> {
  if (actor === 'admin' && ownedBy === 'nobody') return ['admin', 'user'];
  const byEmail = actor.includes('@')
    ? await listAccountsByEmail(readModels, { beginning: beginningOfEmail(actor), limit: 20 })
    : [];
  return [actor, ...byEmail.map(({ id }) => id)];
}

async function emailsOf(
  { readModels }: HttpDeps,
  actors: readonly Actor[],
  ownerId: string | null,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...usersIn(actors), ...(ownerId === null ? [] : [ownerId])];
  return new Map((await listAccountsById(readModels, [...new Set(ids)])).map(({ id, data }) => [id, data.email]));
}

/** Streamed while reading: only one page of a long stream is in memory at a time. */
async function* viewsOf(deps: HttpDeps, subject: Subject, filter: HistoryFilter) {
  const emailOf = new Map<string, string>();
  const resolved = new Set<string>();
  for await (const step of wholeHistory(subject, filter)) {
    const { actor } = step.event.metadata;
    const unknown = usersIn([actor]).filter((id) => !resolved.has(id));
    for (const id of unknown) resolved.add(id);
    if (unknown.length > 0) for (const [id, email] of await emailsOf(deps, [actor], null)) emailOf.set(id, email);
    yield presentStep(step, subject.kind, emailOf, true);
  }
}

async function* jsonOf(deps: HttpDeps, subject: Subject, filter: HistoryFilter): AsyncGenerator<string> {
  yield `{"format":"seo-workbench-history","stream":${JSON.stringify(subject.stream)},"events":[`;
  let separator = '\n';
  for await (const view of viewsOf(deps, subject, filter)) {
    yield separator + JSON.stringify(view);
    separator = ',\n';
  }
  yield '\n]}\n';
}

async function* csvOf(deps: HttpDeps, subject: Subject, filter: HistoryFilter): AsyncGenerator<string> {
  yield HISTORY_CSV_HEAD;
  for await (const view of viewsOf(deps, subject, filter)) yield historyCsvLine(view);
}
