/**
 * How long due work waited beside a free place, by sampling the shared state of the processes: the list of pending work, the
 * claims on it, and the leases of processes that are running. For many processes; a period counts while an item was due and unclaimed, and
 * a process had a place for it that stood free throughout: what the process took meanwhile is taken off its places. Where places are taken and given back all
 * the time, an item waits for its turn, which is not the fault looked for here.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Claim, Claims } from '../../../src/readModels/claims.ts';
import type { LeaseRecord, Leases } from '../../../src/readModels/leases.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import type { WorkItem } from '../../../src/work/kind.ts';
import { EXCLUSIVE_AFTER } from '../../../src/work/performer.ts';
import type { FreePlaces, Idle, Places } from './freePlaces.ts';
import type { Kind } from './workFold.ts';
import { allClaims, readItems } from './workLog.ts';

export type Coordination = { readonly readModels: ReadModels; readonly claims: Claims; readonly leases: Leases };

export type Sampler = {
  /** Stops sampling, and returns the findings. */
  stop(): Promise<FreePlaces & { readonly looks: number }>;
};

const EVERY_MS = 250;
const KEPT = 10;

/** Read between `at` and `until`: new entries existed at the latest from `until` on, and old ones at least up to `at`. */
type Look = {
  readonly at: number;
  readonly until: number;
  readonly waiting: ReadonlyMap<string, Waiting>;
  /** Ids of what each process has in hand, by kind and process. */
  readonly inHand: InHand;
  /** Who was there, with what in hand. */
  readonly seen: string;
};

/** How many places a process has free. */
type FreeOf = ReadonlyMap<string, number>;
/** `beside`: the processes with a place for it. */
type Waiting = { readonly item: WorkItem; readonly beside: FreeOf };
type InHand = ReadonlyMap<string, ReadonlySet<string>>;

/** `calm`: every process is up and none is paused. */
export function startSampler(stores: Coordination, places: Places, calm: () => boolean): Sampler {
  const stopping = new AbortController();
  const since = new Map<string, Idle & { readonly places: FreeOf }>();
  let inHand: InHand = new Map();
  const longest: Idle[] = [];
  let judgedMs = 0;
  let looks = 0;
  let before: number | null = null;

  function close(key: string): void {
    const idle = since.get(key);
    since.delete(key);
    if (!idle || idle.ms === 0) return;
    const { places: _, ...period } = idle;
    longest.push(period);
    longest.sort((a, b) => b.ms - a.ms);
    longest.splice(KEPT);
  }

  async function sample(): Promise<void> {
    const look = calm() ? await lookOnce(stores, places).catch(() => null) : null;
    // The time in between is unknown.
    if (!look || !calm()) {
      for (const key of [...since.keys()]) close(key);
      before = null;
      return;
    }
    looks += 1;
    if (before !== null) judgedMs += look.at - before;
    before = look.at;
    for (const key of [...since.keys()]) if (!look.waiting.has(key)) close(key);
    for (const [key, { item, beside: now }] of look.waiting) {
      const { kind, lane } = item;
      const stood = new Map(
        [...(since.get(key)?.places ?? [])].flatMap(([holder, places]) => {
          const left = Math.min(now.get(holder) ?? 0, places - takenBetween(inHand, look.inHand, `${kind}/${holder}`));
          return left > 0 ? [[holder, left] as const] : [];
        }),
      );
      if (stood.size === 0) close(key);
      const { from, beside } = since.get(key) ?? { from: look.until, beside: [look.seen] };
      const ms = Math.max(0, look.at - from);
      const seen = beside?.at(-1) === look.seen ? beside : [...(beside ?? []), look.seen];
      since.set(key, { kind: kind as Kind, lane, from, ms, beside: seen, places: stood.size === 0 ? now : stood });
    }
    inHand = look.inHand;
  }

  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      await sample();
      await wait(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await sampling;
      for (const key of [...since.keys()]) close(key);
      return { longest, judgedMs, looks };
    },
  };
}

const takenBetween = (before: InHand, after: InHand, key: string): number =>
  [...(after.get(key) ?? [])].filter((itemId) => !before.get(key)?.has(itemId)).length;

/** A process that was killed leaves its lease behind; the name of a lease begins with the id of its process. */
function isRunning({ name, owner }: LeaseRecord): boolean {
  if (owner === null) return false;
  try {
    return process.kill(Number.parseInt(name.slice('worker/'.length), 10), 0);
  } catch {
    return false;
  }
}

async function lookOnce({ readModels, claims, leases }: Coordination, places: Places): Promise<Look> {
  const kinds = Object.keys(places) as (keyof Places)[];
  const at = Date.now();
  const [items, workers, ...claimed] = await Promise.all([readItems(readModels), leases.list('worker/'), ...kinds.map((kind) => allClaims(claims, kind))]);
  const until = Date.now();
  const alive = new Set(workers.filter(isRunning).map(({ name, token }) => `${name.slice('worker/'.length)}/${token}`));
  const waiting = new Map<string, Waiting>();
  const inHand = new Map<string, Set<string>>();
  kinds.forEach((kind, index) => {
    const known = claimed[index] ?? [];
    const held = known.filter(({ holder }) => holder !== null);
    // Beside an item that must run alone, its process starts nothing else.
    const alone = new Set(claimed.flat().flatMap(({ holder, vanishings }) => (holder !== null && vanishings >= EXCLUSIVE_AFTER ? [holder] : [])));
    const { all, ofLane, kept = 0 } = places[kind];
    for (const { holder, itemId } of held) inHand.set(`${kind}/${holder}`, (inHand.get(`${kind}/${holder}`) ?? new Set()).add(itemId));
    const others = [...alive].filter((holder) => !alone.has(holder));
    const freeOf = others.map((holder) => [holder, all - (inHand.get(`${kind}/${holder}`)?.size ?? 0)] as const);
    const claimOf = new Map(known.map((claim) => [claim.itemId, claim]));
    for (const item of items) {
      if (item.kind !== kind || Date.parse(item.dueAt) > at) continue;
      const claim = claimOf.get(item.itemId);
      const isFree =
        !claim || claim.opening !== item.opening || (claim.holder === null && claim.settledAt === null && Date.parse(claim.notBefore ?? item.dueAt) <= at);
      if (!isFree) continue;
      const ofItsLane = held.filter(({ lane }) => lane === item.lane).length;
      // The last places are kept for lanes with nothing in progress.
      const unusable = ofItsLane === 0 ? 0 : ofItsLane < ofLane ? kept : all;
      const beside = new Map(freeOf.flatMap(([holder, free]) => (free > unusable ? [[holder, free - unusable] as const] : [])));
      if (beside.size > 0) waiting.set(`${kind}/${item.itemId}`, { item, beside });
    }
  });
  return { at, until, waiting, inHand, seen: describe(claimed.flat(), alive) };
}

function describe(claims: readonly Claim[], alive: ReadonlySet<string>): string {
  const names = new Set([...alive, ...claims.flatMap(({ holder }) => (holder === null ? [] : [holder]))]);
  return [...names]
    .sort()
    .map((name) => {
      const inHand = claims
        .filter(({ holder }) => holder === name)
        .map(({ kind, vanishings }) => (vanishings === 0 ? kind : `${kind} (vanished ${vanishings} times)`));
      return `${name}${alive.has(name) ? '' : ' (gone)'}: ${inHand.join(', ') || 'nothing'}`;
    })
    .join('; ');
}
