/**
 * Candidates by their distance from the start: the nearest distance is served first. Within one: what the former run
 * looked at, then fairly across templates, then by address. Nothing depends on when a candidate was added. Pure.
 */
import { ascending } from '../../../model/order.ts';
import { createHeap, type Heap } from './heap.ts';

type Candidate = { readonly url: string; readonly pattern: string; readonly wasRead: boolean; taken: boolean };

export type Distances<T extends Candidate> = {
  /** Adds an item, or moves a waiting one. */
  readonly put: (item: T, distance: number) => void;
  /** Opens the nearest distance at which something waits; false if nothing does. */
  readonly open: () => boolean;
  /** The next item of the open distance; null if none is left there. Skips items taken another way. */
  readonly take: () => T | null;
  /** The first `most` items that would come next if nothing else was added. Takes none. */
  readonly ahead: (most: number) => readonly T[];
};

/** An item may have several places; the latest one counts. */
type Place<T> = { readonly item: T; readonly distance: number };
type Template<T> = { readonly pattern: string; readonly places: Heap<Place<T>>; head: Place<T> | null };
type Turn<T> = { readonly template: Template<T>; readonly taken: number; readonly head: Place<T> };
type Pool<T> = { readonly templates: Map<string, Template<T>>; readonly turns: Heap<Turn<T>> };
type Level<T> = { readonly former: Pool<T>; readonly others: Pool<T> };

/** How the share of a template grows, once nothing else waits. */
const GROWTH = [1, 2, 4, 8, Number.POSITIVE_INFINITY];

/**
 * `share`: of one template, so many at most while others wait, however far they are; then twice as many, and so on.
 * Otherwise hundreds of products that the start page links to would leave nothing for what is behind them.
 */
export function createDistances<T extends Candidate>(share: number): Distances<T> {
  const levels = new Map<number, Level<T>>();
  const places = new Map<T, Place<T>>();
  const taken = new Map<string, number>();
  let opened = { distance: 0, share };

  const takenOf = (pattern: string): number => taken.get(pattern) ?? 0;
  const isCurrent = (place: Place<T>): boolean => !place.item.taken && places.get(place.item) === place;
  const enter = (pool: Pool<T>, template: Template<T>): void => {
    const { head, pattern } = template;
    if (head) pool.turns.push({ template, taken: takenOf(pattern), head });
  };
  const advance = (pool: Pool<T>, template: Template<T>): void => {
    do template.head = template.places.pop() ?? null;
    while (template.head && !isCurrent(template.head));
    enter(pool, template);
  };
  /** Whose turn it is, within the share. Corrects what has changed since turns were given. */
  const turnOf = (pool: Pool<T>, most: number): Turn<T> | null => {
    for (let turn = pool.turns.peek(); turn; turn = pool.turns.peek()) {
      const { template, head } = turn;
      const isValid = template.head === head && isCurrent(head) && turn.taken === takenOf(template.pattern);
      if (isValid) return turn.taken < most ? turn : null;
      pool.turns.pop();
      if (template.head !== head) continue;
      if (isCurrent(head)) enter(pool, template);
      else advance(pool, template);
    }
    return null;
  };
  const poolOf = (distance: number, most: number): Pool<T> | null => {
    const level = levels.get(distance);
    if (!level) return null;
    if (turnOf(level.former, most)) return level.former;
    return turnOf(level.others, most) ? level.others : null;
  };
  const nearest = (): typeof opened | null => {
    for (const growth of GROWTH) {
      const most = share * growth;
      let distance: number | null = null;
      for (const each of levels.keys())
        if ((distance === null || each < distance) && poolOf(each, most)) distance = each;
      if (distance !== null) return { distance, share: most };
    }
    return null;
  };
  const takeFrom = (at: typeof opened): Place<T> | null => {
    const pool = poolOf(at.distance, at.share);
    const turn = pool && turnOf(pool, at.share);
    if (!turn) return null;
    pool.turns.pop();
    const { pattern } = turn.template;
    taken.set(pattern, takenOf(pattern) + 1);
    places.delete(turn.head.item);
    advance(pool, turn.template);
    return turn.head;
  };
  const put = (item: T, distance: number): void => {
    const level = levels.get(distance) ?? { former: emptyPool<T>(), others: emptyPool<T>() };
    levels.set(distance, level);
    const pool = item.wasRead ? level.former : level.others;
    const { pattern } = item;
    const template = pool.templates.get(pattern) ?? { pattern, places: createHeap<Place<T>>(isBefore), head: null };
    pool.templates.set(pattern, template);
    const place = { item, distance };
    places.set(item, place);
    if (template.head && !isBefore(place, template.head)) {
      template.places.push(place);
      return;
    }
    if (template.head) template.places.push(template.head);
    template.head = place;
    enter(pool, template);
  };
  return {
    put,
    open: () => {
      const next = nearest();
      for (const [distance, level] of levels) if (!next || isEmpty(level)) levels.delete(distance);
      if (next) opened = next;
      return next !== null;
    },
    take: () => {
      const place = takeFrom(opened);
      if (place) place.item.taken = true;
      return place?.item ?? null;
    },
    ahead: (most) => {
      const at = nearest();
      const found: Place<T>[] = [];
      while (at && found.length < most) {
        const place = takeFrom(at);
        if (!place) break;
        found.push(place);
      }
      for (const { item } of found) taken.set(item.pattern, takenOf(item.pattern) - 1);
      for (const { item, distance } of found) put(item, distance);
      return found.map(({ item }) => item);
    },
  };
}

function emptyPool<T extends Candidate>(): Pool<T> {
  return {
    templates: new Map(),
    turns: createHeap<Turn<T>>((a, b) => (a.taken === b.taken ? isBefore(a.head, b.head) : a.taken < b.taken)),
  };
}

function isEmpty<T>({ former, others }: Level<T>): boolean {
  return former.turns.peek() === undefined && others.turns.peek() === undefined;
}

function isBefore(a: Place<Candidate>, b: Place<Candidate>): boolean {
  return ascending(a.item.url, b.item.url) < 0;
}
