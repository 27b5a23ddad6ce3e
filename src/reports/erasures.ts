/** Which deletions erase events that a report is built from. The report must then be refolded without them. */
import { STREAM_KINDS, type StreamKindName } from '../domain/stored/catalogue/streamKinds.ts';
import type { EventType } from '../domain/stored/eventOf.ts';
import { TALLY_KINDS } from '../domain/tally/events.ts';
import type { EventStore, Position } from '../eventStore/eventStore.ts';

const OF_JOB: readonly StreamKindName[] = [
  'job',
  'plan',
  'report',
  'page-records',
  'crawl',
  'opened',
  'shares',
  'share-visits',
  'prompt-trial',
];
const OF_ACCOUNT: readonly StreamKindName[] = [
  ...OF_JOB,
  ...([
    'account',
    'session',
    'second-factor',
    'log-in',
    'api-keys',
    'api-key-use',
    'webhooks',
    'webhook-secret',
    'webhook-delivery',
    'delivery',
    'request',
    ...TALLY_KINDS,
  ] as const),
];

/**
 * For each event type, the kinds of streams that may be erased right after it, apart from the event itself. Bills,
 * emails and reworks are never erased.
 */
const ERASED: Readonly<Partial<Record<EventType, readonly StreamKindName[]>>> = {
  JobDeleted: OF_JOB,
  JobsDeleted: OF_JOB,
  AccountDeleted: OF_ACCOUNT,
  // The next-to-last step of an erasure, however long it took.
  EmailReleased: OF_ACCOUNT,
  EmailRefused: ['account'],
  WebhookForgotten: ['webhook-delivery'],
  TalliesSummed: TALLY_KINDS,
};

/** Event types after which some events of `types` are erased. */
export function erasingTypes(types: readonly string[]): readonly string[] {
  const kinds = new Set(
    STREAM_KINDS.filter((kind) => types.some((type) => Object.hasOwn(kind.types, type))).map(({ kind }) => kind),
  );
  return Object.entries(ERASED).flatMap(([type, erased]) => (erased.some((kind) => kinds.has(kind)) ? [type] : []));
}

type Log = Pick<EventStore, 'readAll'>;

/** Time of the newest event of these types (UTC ISO); null if there is none or `types` is empty. */
export async function newestOf(store: Log, types: readonly string[]): Promise<string | null> {
  for (let after: Position | undefined; types.length > 0; ) {
    const page = await store.readAll({
      direction: 'backward',
      limit: 1,
      filter: { types },
      ...(after === undefined ? {} : { after }),
    });
    if (page.events[0]) return page.events[0].metadata.at;
    if (page.end) break;
    after = page.next;
  }
  return null;
}

/**
 * Time of the first event of these types after a position, or null, and the position read up to. Reads nothing if
 * `types` is empty.
 */
export async function firstAfter(
  store: Log,
  types: readonly string[],
  position: Position,
): Promise<{ readonly at: string | null; readonly next: Position }> {
  for (let after = position; types.length > 0; ) {
    const { events, next, end } = await store.readAll({ after, limit: 1, filter: { types } });
    if (events[0] || end) return { at: events[0]?.metadata.at ?? null, next };
    after = next;
  }
  return { at: null, next: position };
}
