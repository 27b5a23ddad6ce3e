/** The log, reduced to the data for the verdict on work, and the list of pending work beside it. */
import { type EventStore, type Position, type RecordedEvent, START } from '../../../src/eventStore/eventStore.ts';
import type { Claim, Claims } from '../../../src/readModels/claims.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import { WORK_ITEMS } from '../../../src/work/items.ts';
import type { WorkItem } from '../../../src/work/kind.ts';

export type WorkEvent = {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly type: string;
  /** The time of its command, ms. */
  readonly at: number;
  /** Short values of its data, without reports and bodies. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** The list of pending work and the log up to the same position. */
export type WorkView = {
  readonly log: readonly WorkEvent[];
  readonly items: readonly WorkItem[];
  readonly upTo: Position;
};

const SHORT = 300;

export function toWorkEvent({ id, stream, revision, position, type, data, metadata }: RecordedEvent): WorkEvent {
  const isShort = (value: unknown): boolean =>
    typeof value === 'string' ? value.length <= SHORT : value === null || typeof value !== 'object';
  const short = Object.fromEntries(Object.entries(data).filter(([, value]) => isShort(value)));
  return { id, stream, revision: Number(revision), position, type, at: Date.parse(metadata.at), data: short };
}

export async function readWorkLog(
  store: EventStore,
  { after: first = START, upTo }: { readonly after?: Position; readonly upTo?: Position } = {},
): Promise<readonly WorkEvent[]> {
  const log: WorkEvent[] = [];
  for (let after = first; ; ) {
    const page = await store.readAll({ after, limit: 1000 });
    for (const event of page.events) {
      if (upTo !== undefined && event.position > upTo) return log;
      log.push(toWorkEvent(event));
    }
    if (page.end) return log;
    after = page.next;
  }
}

export async function readItems(readModels: ReadModels): Promise<readonly WorkItem[]> {
  const items: WorkItem[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readModels.find<WorkItem>>> = await readModels.find<WorkItem>(WORK_ITEMS, {
      limit: 1000,
      ...(cursor === null ? {} : { cursor }),
    });
    items.push(...page.documents.map(({ data }) => data));
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
}

/** Every stored claim of a kind. */
export async function allClaims(claims: Claims, kind: string): Promise<readonly Claim[]> {
  const found: Claim[] = [];
  for (let after = ''; ; ) {
    const page = await claims.list({ kind, after, limit: 500 });
    found.push(...page);
    const last = page.at(-1);
    if (!last || page.length < 500) return found;
    after = last.itemId;
  }
}

/** Null if the list changes while it is read, or no build is serving: the caller retries later. */
export async function readWorkView(store: EventStore, readModels: ReadModels): Promise<WorkView | null> {
  const position = async (): Promise<Position | null> => {
    const build = await readModels.serving(WORK_ITEMS);
    return build === null ? null : readModels.checkpoint(WORK_ITEMS, build);
  };
  const upTo = await position();
  if (upTo === null) return null;
  const items = await readItems(readModels);
  if ((await position()) !== upTo) return null;
  return { log: await readWorkLog(store, { upTo }), items, upTo };
}
