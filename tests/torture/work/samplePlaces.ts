/**
 * How long due work waited beside a free place, by sampling the shared state of the processes: the list of pending
 * work, the claims on it, and the leases of processes that are running. For many processes; an item counts when it was
 * due, unclaimed, and had a place in every sample of a period in which no work of its kind was taken that was due
 * before it: a place that goes to those whose turn is first does not stand free.
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

/**
 * Read between `at` and `until`: new entries existed at the latest from `until` on, and old ones at least up to `at`.
 */
export type Look = {
  readonly at: number;
  readonly until: number;
  readonly waiting: ReadonlyMap<string, WorkItem>;
  /** All that was due and unclaimed, with or without a place. */
  readonly untaken: ReadonlyMap<string, WorkItem>;
  /** Who was there, with what in hand. */
  readonly seen: string;
};

/** Judges samples that follow one another. */
export function createWaits() {
  const since = new Map<string, Idle>();
  const longest: Idle[] = [];
  let judgedMs = 0;
  let before: Look | null = null;

  function close(key: string): void {
    const idle = since.get(key);
    since.delete(key);
    if (!idle || idle.ms === 0) return;
    longest.push(idle);
    longest.sort((a, b) => b.ms - a.ms);
    longest.splice(KEPT);
  }

  return {
    /** Null: what was in between is unknown. */
    add(look: Look | null): void {
      const taken = before && look ? firstTaken(before, look) : new Map<string, string>();
      if (before && look) judgedMs += look.at - before.at;
      before = look;
      for (const key of [...since.keys()]) {
        const item = look?.waiting.get(key);
        if (!item || (taken.get(item.kind) ?? item.dueAt) < item.dueAt) close(key);
      }
      if (!look) return;
      const { at, until, seen } = look;
      for (const [key, { kind, lane }] of look.waiting) {
        const { from, beside = [] } = since.get(key) ?? { from: until };
        since.set(key, {
          kind: kind as Kind,
          lane,
          from,
          ms: Math.max(0, at - from),
          beside: beside.at(-1) === seen ? beside : [...beside, seen],
        });
      }
    },
    end(): FreePlaces {
      for (const key of [...since.keys()]) close(key);
      return { longest, judgedMs };
    },
  };
}

/** `calm`: every process is up and none is paused. */
export function startSampler(stores: Coordination, places: Places, calm: () => boolean): Sampler {
  const stopping = new AbortController();
  const waits = createWaits();
  let looks = 0;

  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      const look = calm() ? await lookOnce(stores, places).catch(() => null) : null;
      const isJudged = look !== null && calm();
      if (isJudged) looks += 1;
      waits.add(isJudged ? look : null);
      await wait(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await sampling;
      return { ...waits.end(), looks };
    },
  };
}

/** Of what was taken between two samples, when the item that waited longest was due (UTC ISO), by kind. */
function firstTaken(before: Look, now: Look): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const [key, { kind, dueAt }] of before.untaken)
    if (!now.untaken.has(key) && dueAt < (first.get(kind) ?? '~')) first.set(kind, dueAt);
  return first;
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
  const [items, workers, ...claimed] = await Promise.all([
    readItems(readModels),
    leases.list('worker/'),
    ...kinds.map((kind) => allClaims(claims, kind)),
  ]);
  const until = Date.now();
  const alive = new Set(workers.filter(isRunning).map(({ name, token }) => `${name.slice('worker/'.length)}/${token}`));
  const waiting = new Map<string, WorkItem>();
  const untaken = new Map<string, WorkItem>();
  kinds.forEach((kind, index) => {
    const known = claimed[index] ?? [];
    const held = known.filter(({ holder }) => holder !== null);
    // Beside an item that must run alone, its process starts nothing else.
    const alone = new Set(
      claimed
        .flat()
        .flatMap(({ holder, vanishings }) => (holder !== null && vanishings >= EXCLUSIVE_AFTER ? [holder] : [])),
    );
    const { all, ofLane, kept = 0 } = places[kind];
    const others = [...alive].filter((holder) => !alone.has(holder));
    const hasFree = (most: number): boolean =>
      others.some((holder) => held.filter((claim) => claim.holder === holder).length < most);
    // Who may have a reserved slot depends on what they began today, which is not seen here.
    const isOpen = hasFree(all - kept);
    const claimOf = new Map(known.map((claim) => [claim.itemId, claim]));
    for (const item of items) {
      if (item.kind !== kind || Date.parse(item.dueAt) > at) continue;
      const claim = claimOf.get(item.itemId);
      const isFree =
        !claim ||
        claim.opening !== item.opening ||
        (claim.holder === null && claim.settledAt === null && Date.parse(claim.notBefore ?? item.dueAt) <= at);
      const hasPlace = held.filter(({ lane }) => lane === item.lane).length < ofLane;
      if (isFree) untaken.set(`${kind}/${item.itemId}`, item);
      if (isFree && isOpen && hasPlace) waiting.set(`${kind}/${item.itemId}`, item);
    }
  });
  return { at, until, waiting, untaken, seen: describe(claimed.flat(), alive) };
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
