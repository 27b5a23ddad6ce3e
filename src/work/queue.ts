/** When waiting audits begin: how many of the same user's come first, and the estimated start. */
import {
  countWaiting,
  type JobIndexDocument,
  listEndedSince,
  listRunning,
  listWaiting,
  listWaitingFrom,
  othersWait,
} from '../projections/jobIndex.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { AUDITS_OF_A_USER } from './kinds/audit.ts';

export type QueuePlace = {
  /** The user's own audits that begin before this one, without those already running. */
  readonly ahead: number;
  /** UTC ISO; null if it cannot be estimated. */
  readonly startsAt: string | null;
};

const HOUR_MS = 60 * 60 * 1_000;
/** The last hour begins at a full minute, so that the read models can answer the same question from memory. */
const MINUTE_MS = 60 * 1_000;
/** Fewer durations are not representative. */
const LEAST_ENDED = 3;
/** From the last hour; the newest are most representative. */
const MOST_ENDED = 200;
/** An audit that waits longer than this with no earlier one of its user waits for a slot used by others, ms. */
const SOON_MS = 5_000;
/** One user's waiting audits, from the first requested one on. */
const LINE = 1_000;

/**
 * The places in the queue of a user's jobs that have not begun, by their ids. The number of queries does not depend on
 * the number of jobs.
 * @param jobIds at most 1,000
 */
export async function placesInQueue(
  readModels: ReadModels,
  query: { readonly userId: string; readonly jobIds: readonly string[]; readonly now: string },
): Promise<ReadonlyMap<string, QueuePlace>> {
  const { userId, now } = query;
  const asked = query.jobIds.length === 0 ? [] : await listWaiting(readModels, query.jobIds);
  const [first] = asked;
  if (!first) return new Map();
  const since = new Date(Math.floor((Date.parse(now) - HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
  const [line, before, running, ended] = await Promise.all([
    asked.length === 1 ? asked : listWaitingFrom(readModels, { userId, from: first.opening, limit: LINE }),
    countWaiting(readModels, { userId, before: first.opening }),
    listRunning(readModels),
    listEndedSince(readModels, { since, limit: MOST_ENDED }),
  ]);
  const aheadOf = new Map(line.map(({ jobId }, index) => [jobId, before + index]));
  const known = asked.flatMap(({ jobId }) => {
    const ahead = aheadOf.get(jobId);
    return ahead === undefined ? [] : [{ jobId, ahead }];
  });
  const own = running.filter((times) => times.userId === userId);
  const isNew = before === 0 && Date.parse(now) - Date.parse(first.createdAt) < SOON_MS;
  const places = freeTimes({ now, running: own, durations: durationsOf(ended, userId), isNew });
  // A slot that becomes free goes to the user with the fewest running: if other eligible users are waiting, this user's
  // start cannot be predicted.
  const isShared = places !== null && (await othersWait(readModels, new Set([userId, ...usersAtLimit(running)])));
  const starts = places && !isShared ? startTimes(places, before + line.length) : null;
  return new Map(known.map(({ jobId, ahead }) => [jobId, { ahead, startsAt: startAt(starts?.[ahead]) }]));
}

/** Their waiting audits wait for slots of their own. */
function usersAtLimit(running: readonly JobIndexDocument[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { userId } of running) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= AUDITS_OF_A_USER).map(([userId]) => userId);
}

const startAt = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

/** The user's own audits, otherwise everyone's; sorted, ms. */
function durationsOf(ended: readonly JobIndexDocument[], userId: string): readonly number[] {
  const own = ended.filter((times) => times.userId === userId);
  const chosen = own.length >= LEAST_ENDED ? own : ended;
  return chosen
    .map(({ startedAt, endedAt }) => Date.parse(endedAt ?? '') - Date.parse(startedAt ?? ''))
    .sort((a, b) => a - b);
}

type Places = { readonly typical: number; readonly free: readonly number[] };

/**
 * When each of the user's slots becomes free (ms since 1970) and how long an audit typically takes; null if too little
 * is known: after too few audits, while one runs longer than all of the last hour, and while a slot of the user's stays
 * free because others occupy all there are.
 */
export function freeTimes(facts: {
  readonly now: string;
  readonly running: readonly Pick<JobIndexDocument, 'startedAt'>[];
  /** Sorted, ms. */
  readonly durations: readonly number[];
  /** The waiting audit was submitted just now. */
  readonly isNew: boolean;
}): Places | null {
  const { running, durations, isNew } = facts;
  const now = Date.parse(facts.now);
  const typical = durations.length < LEAST_ENDED ? null : medianOf(durations);
  const idle = Math.max(0, AUDITS_OF_A_USER - running.length);
  if (typical === null || (idle > 0 && !isNew)) return null;
  const free = Array.from({ length: idle }, () => now);
  for (const { startedAt } of running) {
    const since = Date.parse(startedAt ?? '');
    const whole = medianOf(durations.filter((duration) => duration > now - since));
    if (whole === null) return null;
    free.push(since + whole);
  }
  return { typical, free };
}

/** The first `count` starts, if each slot is reused as soon as it is free. */
export function startTimes({ typical, free }: Places, count: number): readonly number[] {
  const places = [...free];
  return Array.from({ length: count }, () => {
    const at = Math.min(...places);
    places[places.indexOf(at)] = at + typical;
    return at;
  });
}

/** Of sorted numbers; null if there are none. */
function medianOf(sorted: readonly number[]): number | null {
  return sorted[(sorted.length - 1) >> 1] ?? null;
}
