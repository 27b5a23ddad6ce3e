/** A queued job's position among its user's own jobs. */
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { groupOf } from '../../../src/model/jobs.ts';
import { ascending } from '../../../src/model/order.ts';
import { shortDuration } from '../../../src/model/wording.ts';
import { grouped } from '../../ui/text/wording.ts';

export const isWaiting = (job: Pick<JobView, 'status' | 'started_at'>): boolean =>
  job.started_at === null && groupOf(job.status) === 'processing';

/** Start order; jobs submitted at the same moment keep the log's order. */
export const byQueueOrder = (a: JobView, b: JobView): number =>
  ascending(a.created_at, b.created_at) || ascending(a.position, b.position) || ascending(a.id, b.id);

/** The part of the cache that determines positions. */
interface Waiting {
  readonly jobs: Readonly<Record<string, JobView>>;
  readonly waitingBefore: number;
}

/**
 * The number of the user's own jobs ahead of each queued job, by its id. Recomputed from the jobs held here, since a
 * job's row does not change when one before it starts; jobs beyond the list's limit are counted as of that list.
 */
export function placesInQueue(cache: Waiting): ReadonlyMap<string, number> {
  const waiting = Object.values(cache.jobs).filter(isWaiting).sort(byQueueOrder);
  return new Map(waiting.map(({ id }, index) => [id, cache.waitingBefore + index]));
}

/** 'number 4 in your queue · starts in about 4 min'. A start time in the past is omitted. */
export function queueText(ahead: number, startsAt: string | null, now: number): string {
  const place = ahead === 0 ? 'next in your queue' : `number ${grouped(ahead + 1)} in your queue`;
  return [place, startText(startsAt, now)].filter(Boolean).join(' · ');
}

const MINUTE_MS = 60_000;

function startText(startsAt: string | null, now: number): string {
  const minutes = startsAt === null ? 0 : (Date.parse(startsAt) - now) / MINUTE_MS;
  if (!(minutes > 0)) return '';
  if (minutes < 1) return 'starts within a minute';
  return `starts in about ${shortDuration(minutes < 60 ? Math.round(minutes) : Math.round(minutes / 10) * 10)}`;
}
