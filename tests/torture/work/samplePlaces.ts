/**
 * How long due work waited beside a free place, by sampling the shared state of the processes: the list of pending work, the
 * claims on it, and the leases of processes that are running. For many processes; an item counts when it was due, unclaimed, and had a place in every
 * sample of a period.
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
  readonly waiting: ReadonlyMap<string, WorkItem>;
  /** Who was there, with what in hand. */
  readonly seen: string;
};

/** `calm`: every process is up and none is paused. */
export function startSampler(stores: Coordination, places: Places, calm: () => boolean): Sampler {
  const stopping = new AbortController();
  const since = new Map<string, Idle>();
  const longest: Idle[] = [];
  let judgedMs = 0;
  let looks = 0;
  let before: number | null = null;

  function close(key: string): void {
    const idle = since.get(key);
    since.delete(key);
    if (!idle || idle.ms === 0) return;
    longest.push(idle);
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
    for (const [key, { kind, lane }] of look.waiting) {
      const { from, beside } = since.get(key) ?? { from: look.until, beside: [look.seen] };
      const ms = Math.max(0, look.at - from);
      since.set(key, { kind: kind as Kind, lane, from, ms, beside: beside?.at(-1) === look.seen ? beside : [...(beside ?? []), look.seen] });
    }
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
  const waiting = new Map<string, WorkItem>();
  kinds.forEach((kind, index) => {
    const known = claimed[index] ?? [];
    const held = known.filter(({ holder }) => holder !== null);
    // Beside an item that must run alone, its process starts nothing else.
    const alone = new Set(claimed.flat().flatMap(({ holder, vanishings }) => (holder !== null && vanishings >= EXCLUSIVE_AFTER ? [holder] : [])));
    const { all, ofLane, kept = 0 } = places[kind];
    const others = [...alive].filter((holder) => !alone.has(holder));
    const hasFree = (most: number): boolean => others.some((holder) => held.filter((claim) => claim.holder === holder).length < most);
    if (!hasFree(all)) return;
    const limit = hasFree(all - kept) ? ofLane : 1;
    const claimOf = new Map(known.map((claim) => [claim.itemId, claim]));
    for (const item of items) {
      if (item.kind !== kind || Date.parse(item.dueAt) > at) continue;
      const claim = claimOf.get(item.itemId);
      const isFree =
        !claim || claim.opening !== item.opening || (claim.holder === null && claim.settledAt === null && Date.parse(claim.notBefore ?? item.dueAt) <= at);
      const hasPlace = held.filter(({ lane }) => lane === item.lane).length < limit;
      if (isFree && hasPlace) waiting.set(`${kind}/${item.itemId}`, item);
    }
  });
  return { at, until, waiting, seen: describe(claimed.flat(), alive) };
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
