/** What follows from a user's document: their rows, and their place in the totals. */
import { type Counts, NO_DOMAIN, type ProgressRow, type Totals, type TotalsPart, type UserCounts } from './documents.ts';

const NOTHING: Counts = { total: 0, completed: 0, inProgress: 0, minutes: 0 };

function added(a: Counts, b: Counts): Counts {
  return { total: a.total + b.total, completed: a.completed + b.completed, inProgress: a.inProgress + b.inProgress, minutes: a.minutes + b.minutes };
}

const sumOf = (counts: readonly Counts[]): Counts => counts.reduce(added, NOTHING);

/** Sites with action items, in their order; without any, the one row that says so. */
export function domainsOf({ jobs }: UserCounts): readonly string[] {
  const hosts = new Set(
    Object.values(jobs)
      .filter(({ total }) => total > 0)
      .map(({ host }) => host),
  );
  return hosts.size === 0 ? [NO_DOMAIN] : [...hosts].sort();
}

/** Null: the user has fewer rows. */
export function rowOf(user: UserCounts, nth: number): ProgressRow | null {
  const domain = domainsOf(user)[nth];
  if (domain === undefined) return null;
  const jobs = Object.values(user.jobs).filter(({ host }) => domain === NO_DOMAIN || host === domain);
  const { total, completed, inProgress, minutes } = sumOf(jobs);
  return {
    ...{ kind: 'row', userId: user.userId, email: user.email, domain },
    ...{ totalActions: total, completedActions: completed, inProgressActions: inProgress },
    completionPercentage: total === 0 ? 0 : Math.round((completed / total) * 100),
    timeSaved: minutes,
    lastActivity: jobs.reduce<string | null>((latest, { activeAt }) => (latest === null || activeAt > latest ? activeAt : latest), null),
  };
}

export function evolvePart(part: TotalsPart | null, userId: string, user: UserCounts | null): TotalsPart | null {
  const { [userId]: _, ...others } = part?.users ?? {};
  if (!user) return Object.keys(others).length === 0 ? null : { kind: 'part', users: others };
  return { kind: 'part', users: { ...others, [userId]: sumOf(Object.values(user.jobs)) } };
}

export function evolveTotals(totals: Totals | null, partId: string, part: TotalsPart | null): Totals | null {
  const { [partId]: _, ...others } = totals?.parts ?? {};
  if (!part) return Object.keys(others).length === 0 ? null : { kind: 'totals', parts: others };
  const counts = Object.values(part.users);
  return { kind: 'totals', parts: { ...others, [partId]: { users: counts.length, ...sumOf(counts) } } };
}

export function totalOf(totals: Totals | null): Counts & { readonly users: number } {
  const parts = Object.values(totals?.parts ?? {});
  return { users: parts.reduce((sum, { users }) => sum + users, 0), ...sumOf(parts) };
}
