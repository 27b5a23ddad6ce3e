/** Small projections and a log for testing the loop. */
import type { EventStore, Position } from '../../src/eventStore/eventStore.ts';
import type { AnyProjection, Projection } from '../../src/projections/projection.ts';
import { metadataAt } from '../given/stores/metadata.ts';

export type ToyEvent =
  | {
      readonly type: 'BoxFilled';
      readonly data: { readonly box: string; readonly owner: string; readonly items: number };
    }
  | { readonly type: 'BoxMoved'; readonly data: { readonly box: string; readonly from: string; readonly to: string } }
  | { readonly type: 'BoxBurned'; readonly data: { readonly box: string; readonly owner: string } };

export type BoxDocument = {
  readonly box: string;
  readonly owner: string;
  readonly items: number;
  readonly history: readonly number[];
};
export type OwnerDocument = { readonly owner: string; readonly boxes: Readonly<Record<string, number>> };

/** A document per box: adds up, and keeps the order in which it was filled. */
export const boxes: Projection<BoxDocument, ToyEvent> = {
  name: 'boxes',
  version: 1,
  indexes: [['owner']],
  handles: ['BoxFilled', 'BoxMoved', 'BoxBurned'],
  keys: (event) => [event.data.box],
  evolve(document, event) {
    switch (event.type) {
      case 'BoxFilled': {
        const { box, owner, items } = event.data;
        return {
          box,
          owner: document?.owner ?? owner,
          items: (document?.items ?? 0) + items,
          history: [...(document?.history ?? []), items],
        };
      }
      case 'BoxMoved':
        return document && { ...document, owner: event.data.to };
      case 'BoxBurned':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

/** A document per owner, fed by many streams; a move changes two of them. */
export const owners: Projection<OwnerDocument, ToyEvent> = {
  name: 'owners',
  version: 1,
  indexes: [],
  handles: ['BoxFilled', 'BoxMoved'],
  keys: (event) =>
    event.type === 'BoxFilled' ? [event.data.owner] : event.type === 'BoxMoved' ? [event.data.from, event.data.to] : [],
  evolve(document, event, owner) {
    if (event.type === 'BoxBurned') return document;
    const { box } = event.data;
    const boxesNow: Record<string, number> = { ...document?.boxes };
    if (event.type === 'BoxFilled') boxesNow[box] = (boxesNow[box] ?? 0) + event.data.items;
    else if (event.data.to === owner) boxesNow[box] = boxesNow[box] ?? 0;
    else delete boxesNow[box];
    return { owner, boxes: boxesNow };
  },
};

/** How often each type occurred, over all actors. */
export const tally: Projection<{ readonly count: number }, ToyEvent> = {
  name: 'tally',
  version: 1,
  indexes: [],
  handles: ['BoxFilled', 'BoxBurned'],
  keys: (event) => [event.type],
  evolve: (document) => ({ count: (document?.count ?? 0) + 1 }),
};

type HoardDocument =
  | { readonly kind: 'box'; readonly owner: string; readonly items: number }
  | { readonly kind: 'hoard'; readonly boxes: number; readonly items: number; readonly largest: number | null };

/** Sums of boxes: how many items each owner has, and how many are in the largest box. */
export const hoards: Projection<HoardDocument, ToyEvent> = {
  name: 'hoards',
  version: 1,
  indexes: [['kind', 'owner', 'items']],
  handles: ['BoxFilled', 'BoxMoved', 'BoxBurned'],
  keys: (event) => [event.data.box],
  evolve(document, { type, data }) {
    const box = document?.kind === 'box' ? document : null;
    if (type === 'BoxFilled')
      return { kind: 'box', owner: box?.owner ?? data.owner, items: (box?.items ?? 0) + data.items };
    return type === 'BoxMoved' && box ? { ...box, owner: data.to } : null;
  },
  sums: {
    of: (document) => (document.kind === 'box' ? [`hoard:${document.owner}`] : []),
    evolve(sum, before, after) {
      const hoard = sum?.kind === 'hoard' ? sum : { kind: 'hoard' as const, boxes: 0, items: 0, largest: null };
      const [was, is] = [itemsIn(before), itemsIn(after)];
      const number = hoard.boxes + (is === null ? 0 : 1) - (was === null ? 0 : 1);
      if (number === 0) return null;
      const isLost = (hoard.boxes > 0 && hoard.largest === null) || was === hoard.largest;
      const largest = isLost ? null : Math.max(hoard.largest ?? 0, is ?? 0);
      return { kind: 'hoard', boxes: number, items: hoard.items + (is ?? 0) - (was ?? 0), largest };
    },
    lost: (sum, key) =>
      sum.kind === 'hoard' && sum.largest === null
        ? { where: { kind: 'box', owner: key.slice('hoard:'.length) }, sort: [['items', 'desc']] }
        : null,
    found: (sum, sources) =>
      sum.kind === 'hoard' ? { ...sum, largest: Math.max(...sources.map((source) => itemsIn(source) ?? 0)) } : sum,
  },
};

const itemsIn = (document: HoardDocument | null): number | null => (document?.kind === 'box' ? document.items : null);

export const TOYS: readonly AnyProjection[] = [boxes, owners, tally];
export const TOYS_WITH_SUMS: readonly AnyProjection[] = [...TOYS, hoards];

let nextId = 0;

/** Appends to the box's own stream; returns the position. */
export async function append(
  store: EventStore,
  ...events: readonly { readonly type: string; readonly data: object }[]
): Promise<Position> {
  let position = '';
  for (const event of events) {
    const stream = `box-${(event.data as { box?: string }).box ?? 'none'}`;
    nextId += 1;
    const id = `00000000-0000-4000-8000-${String(nextId).padStart(12, '0')}`;
    ({ position } = await store.append(stream, [{ id, ...event, metadata: metadataAt('2026-01-01T00:00:00.000Z') }], {
      expected: 'any',
    }));
  }
  return position;
}

export function filled(box: string, items: number, owner = 'ada'): ToyEvent {
  return { type: 'BoxFilled', data: { box, owner, items } };
}

export function moved(box: string, from: string, to: string): ToyEvent {
  return { type: 'BoxMoved', data: { box, from, to } };
}

export function burned(box: string, owner = 'ada'): ToyEvent {
  return { type: 'BoxBurned', data: { box, owner } };
}
