/** What a user and an audit add to the sums: of a site, of all sites of a user, and of all users. */

import type { Query } from '../../readModels/readModels.ts';
import {
  allSitesKey,
  type Counted,
  type JobItems,
  NO_DOMAIN,
  type Progress,
  TOTALS_ID,
  type User,
  type UserProgressDocument,
} from './documents.ts';

/** A hash: the id of a deleted document stays, and must not tell which site somebody has audited. */
export const siteKey = (userId: string, host: string): string =>
  `site:${userId}:${hash(host, 0x811c9dc5)}${hash(host, 0x01000193)}`;

/** FNV-1a with 32 bits, in hex. */
function hash(text: string, basis: number): string {
  let sum = basis;
  for (let at = 0; at < text.length; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, '0');
}

type Source = User | JobItems;

const NOTHING: Counted = { users: 0, jobs: 0, total: 0, completed: 0, inProgress: 0, minutes: 0 };
const KEYS = Object.keys(NOTHING) as (keyof Counted)[];

/** Ids of the sums that count the document. */
export function sumsOf(document: UserProgressDocument): readonly string[] {
  if (document.kind === 'user') return [allSitesKey(document.userId), TOTALS_ID];
  if (document.kind === 'job') return [document.siteId, allSitesKey(document.userId), TOTALS_ID];
  return [];
}

const isSource = (document: UserProgressDocument | null): document is Source =>
  document?.kind === 'user' || document?.kind === 'job';

function countedOf(source: Source | null): Counted {
  if (source === null) return NOTHING;
  if (source.kind === 'user') return { ...NOTHING, users: 1 };
  const items = Object.values(source.items).filter(({ marked, chosen }) => !marked || chosen);
  const completed = items.filter(({ status }) => status === 'completed');
  return {
    users: 0,
    jobs: 1,
    total: items.length,
    completed: completed.length,
    inProgress: items.filter(({ status }) => status === 'in-progress').length,
    minutes: completed.reduce((sum, { minutes }) => sum + minutes, 0),
  };
}

function changed(sum: Counted, before: Counted, after: Counted): Counted {
  return Object.fromEntries(KEYS.map((key) => [key, sum[key] + after[key] - before[key]])) as Counted;
}

const isProgress = (document: UserProgressDocument | null): document is Progress =>
  document?.kind === 'row' || document?.kind === 'hidden';

function countedIn(sum: UserProgressDocument | null): Counted {
  if (sum?.kind === 'totals') return sum;
  if (!isProgress(sum)) return NOTHING;
  return {
    users: sum.users,
    jobs: sum.jobs,
    total: sum.totalActions,
    completed: sum.completedActions,
    inProgress: sum.inProgressActions,
    minutes: sum.timeSaved,
  };
}

/** A sum after one of its sources became `next`; null once it counts nothing any more. */
export function evolveSum(
  sum: UserProgressDocument | null,
  source: UserProgressDocument | null,
  next: UserProgressDocument | null,
  key: string,
): UserProgressDocument | null {
  const [before, after] = [isSource(source) ? source : null, isSource(next) ? next : null];
  const either = after ?? before;
  if (!either) return sum;
  const counted = changed(countedIn(sum), countedOf(before), countedOf(after));
  if (counted.users === 0 && counted.jobs === 0) return null;
  if (key === TOTALS_ID) return { kind: 'totals', ...counted };
  const known = isProgress(sum) ? sum : null;
  const lastActivity = activityAfter(known, jobOf(before), jobOf(after));
  const isOfAllSites = key === allSitesKey(either.userId);
  const { users, jobs, total, completed, inProgress, minutes } = counted;
  return {
    // All sites stand for themselves as long as there is nothing to do on any.
    kind: (isOfAllSites ? users > 0 && total === 0 : total > 0) ? 'row' : 'hidden',
    userId: either.userId,
    domain: isOfAllSites || either.kind === 'user' ? NO_DOMAIN : either.host,
    totalActions: total,
    completedActions: completed,
    inProgressActions: inProgress,
    completionPercentage: total === 0 ? 0 : Math.round((completed / total) * 100),
    timeSaved: minutes,
    lastActivity,
    users,
    jobs,
  };
}

const jobOf = (source: Source | null): JobItems | null => (source?.kind === 'job' ? source : null);

/** Null if it has to be looked up: the audit that was worked on last is gone. */
function activityAfter(sum: Progress | null, before: JobItems | null, after: JobItems | null): string | null {
  const last = sum?.lastActivity ?? null;
  if (sum && hasLostActivity(sum)) return null;
  const now = after?.activeAt ?? null;
  if (now !== null && (last === null || now >= last)) return now;
  return before?.activeAt === last ? null : last;
}

const hasLostActivity = ({ jobs, lastActivity }: Progress): boolean => jobs > 0 && lastActivity === null;

/** What finds the audit that was worked on last. */
export function lostActivity(sum: UserProgressDocument, key: string): Pick<Query, 'where' | 'sort'> | null {
  if (!isProgress(sum) || !hasLostActivity(sum)) return null;
  const of = key === allSitesKey(sum.userId) ? { userId: sum.userId } : { siteId: key };
  return { where: { kind: 'job', ...of }, sort: [['activeAt', 'desc']] };
}

export function foundActivity(
  sum: UserProgressDocument,
  sources: readonly UserProgressDocument[],
): UserProgressDocument {
  if (!isProgress(sum)) return sum;
  const times = sources.flatMap((source) => (source.kind === 'job' ? source.activeAt : []));
  return {
    ...sum,
    lastActivity: times.reduce<string | null>((last, at) => (last === null || at > last ? at : last), null),
  };
}
