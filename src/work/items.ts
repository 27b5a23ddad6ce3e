/**
 * The read model of pending work: one item for each opening that no event has closed. Any process can rebuild it from
 * the log.
 */
import type { Recorded, RecordedEvent } from '../eventStore/eventStore.ts';
import type { AnyProjection, Projection } from '../projections/projection.ts';
import type { Page, Position, ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { WorkItem, WorkRule } from './kind.ts';

export const WORK_ITEMS = 'workItems';

/** Requested by an operator: state kept about earlier attempts no longer counts. */
const RETRY = 'WorkRetryAsked';

export const itemKey = (kind: string, itemId: string): string => `${kind}/${itemId}`;

type AnyEvent = Recorded<{ readonly type: string; readonly data: object }>;

/** Raise `version` when a rule changes. */
export function workItemsModel(rules: readonly WorkRule[]): AnyProjection {
  const ruleOf = new Map(rules.map((rule) => [rule.kind, rule]));
  if (ruleOf.size !== rules.length) throw new Error('Two kinds of work have the same name.');
  const model: Projection<WorkItem, { readonly type: string; readonly data: object }> = {
    name: WORK_ITEMS,
    version: 10,
    isUrgent: true,
    indexes: [
      // Which lane, and its longest waiting item.
      ['kind', 'lane', 'dueAt', 'opening'],
      ['kind', 'dueAt'],
    ],
    handles: [
      RETRY,
      ...new Set(
        rules.flatMap(({ opens, closes, defers }) =>
          [opens, closes, defers ?? {}].flatMap((table) => Object.keys(table)),
        ),
      ),
    ],
    keys: (event) => (event.type === RETRY ? [retriedKey(event)] : rules.flatMap((rule) => touched(rule, event))),
    evolve(item, event, key) {
      if (event.type === RETRY) return item && { ...item, opening: event.position, dueAt: event.metadata.at };
      const rule = ruleOf.get(key.slice(0, key.indexOf('/')));
      return rule ? evolveItem(rule, item, event) : item;
    },
  };
  return model;
}

function retriedKey({ data }: AnyEvent): string {
  const { kind, itemId } = data as { readonly kind: string; readonly itemId: string };
  return itemKey(given(kind, 'kind'), given(itemId, 'item'));
}

/**
 * Keys of the items of a kind that the event opens, defers or closes.
 * @throws when it should name one and does not, so that it is parked
 */
function touched({ kind, opens, closes, defers }: WorkRule, event: RecordedEvent): string[] {
  return [applied(opens, event), applied(closes, event), applied(defers, event)].flatMap((one) =>
    one === null ? [] : [itemKey(kind, given(typeof one === 'object' ? one.itemId : one, 'item'))],
  );
}

/** @throws when the result would be an item without a lane or a time, which would never be found */
function evolveItem(rule: WorkRule, item: WorkItem | null, event: AnyEvent): WorkItem | null {
  const { id, type, stream, revision, position, metadata } = event;
  const opening = applied(rule.opens, event);
  if (opening) {
    const { itemId, lane, dueAt = metadata.at, rank = 0, network } = opening;
    const opener = { id, stream, revision: String(revision), type };
    return {
      kind: rule.kind,
      itemId,
      lane: given(lane, 'lane'),
      opening: position,
      openedAt: metadata.at,
      dueAt: time(dueAt),
      rank,
      ...(network === undefined ? {} : { network }),
      opener,
    };
  }
  if (applied(rule.closes, event) !== null) return null;
  const deferred = applied(rule.defers, event);
  return deferred && item ? { ...item, dueAt: time(deferred.dueAt) } : item;
}

type Table<Result> = Readonly<Record<string, (event: RecordedEvent) => Result | null>>;

/** Null: the table has no entry for the event. */
function applied<Result>(table: Table<Result> | undefined, event: RecordedEvent): Result | null {
  const handler = table?.[event.type];
  return handler ? handler(event) : null;
}

function given(text: unknown, what: string): string {
  if (typeof text !== 'string' || text === '') throw new TypeError(`The event names no ${what}.`);
  return text;
}

/** Normalized to the one format that sorts chronologically. */
const time = (text: unknown): string => new Date(given(text, 'time')).toISOString();

/** The items of a lane, longest waiting first, then those that are not due yet. */
export function listLane(
  readModels: ReadModels,
  query: { readonly kind: string; readonly lane: string; readonly limit: number; readonly cursor?: string },
): ReturnType<typeof readModels.find<WorkItem>> {
  const { kind, lane, limit, cursor } = query;
  return readModels.find<WorkItem>(WORK_ITEMS, {
    where: { kind, lane },
    sort: DUE_ORDER,
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

const DUE_ORDER = [
  ['dueAt', 'asc'],
  ['opening', 'asc'],
] as const;

/** A compromise for the heads of lanes: most pages have more than one lane, the others skip few. */
const AT_ONCE = 200;

/**
 * The first item of each lane, passing over some by their ids. The cost grows with the number of lanes, not of items.
 */
export async function* laneHeads(
  readModels: ReadModels,
  kind: string,
  except: ReadonlySet<string> = new Set(),
): AsyncGenerator<WorkItem> {
  let after = '';
  let found = '';
  for (let cursor: string | null = null; ; ) {
    const page: Page<WorkItem> = await readModels.find<WorkItem>(WORK_ITEMS, {
      where: { kind, lane: { gt: after } },
      sort: [['lane', 'asc'], ...DUE_ORDER],
      limit: AT_ONCE,
      ...(cursor === null ? {} : { cursor }),
    });
    for (const { data } of page.documents) {
      if (data.lane === found || except.has(data.itemId)) continue;
      found = data.lane;
      yield data;
    }
    if (page.cursor === null) return;
    // The rest of a lane is skipped once its first item is known.
    const isFound = page.documents.at(-1)?.data.lane === found;
    if (isFound) after = found;
    cursor = isFound ? null : page.cursor;
  }
}

/** The items written after a position, of any kind. The cost grows with their number, not with that of all items. */
export async function* itemsSince(readModels: ReadModels, position: Position): AsyncGenerator<WorkItem> {
  let cursor: string | null = null;
  do {
    const page: Page<WorkItem> = await readModels.find<WorkItem>(WORK_ITEMS, {
      where: { position: { gt: position } },
      sort: [['position', 'asc']],
      limit: AT_ONCE,
      ...(cursor === null ? {} : { cursor }),
    });
    for (const { data } of page.documents) yield data;
    cursor = page.cursor;
  } while (cursor !== null);
}

/** The pending items of a kind, earliest due first. */
export function listPending(
  readModels: ReadModels,
  kind: string,
  limit: number,
  cursor?: string,
): ReturnType<typeof readModels.find<WorkItem>> {
  return readModels.find<WorkItem>(WORK_ITEMS, {
    where: { kind },
    sort: [['dueAt', 'asc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/** How many items of a kind are pending, and since when the first of them has been due (UTC ISO). */
export async function measureDepth(
  readModels: ReadModels,
  kind: string,
  now: string,
): Promise<{ readonly depth: number; readonly dueSince: string | null }> {
  const [depth, { documents }] = await Promise.all([
    readModels.count(WORK_ITEMS, { kind }),
    readModels.find<WorkItem>(WORK_ITEMS, { where: { kind, dueAt: { lte: now } }, sort: [['dueAt', 'asc']], limit: 1 }),
  ]);
  return { depth, dueSince: documents[0]?.data.dueAt ?? null };
}

/** Number of due items of a kind. */
export function countDue(readModels: ReadModels, kind: string, now: string): Promise<number> {
  return readModels.count(WORK_ITEMS, { kind, dueAt: { lte: now } });
}

export function getItem(
  readModels: ReadModels,
  kind: string,
  itemId: string,
): Promise<StoredDocument<WorkItem> | null> {
  return readModels.get<WorkItem>(WORK_ITEMS, itemKey(kind, itemId));
}
