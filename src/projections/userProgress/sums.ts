/** Aggregates a user's jobs: from shards to the user's document, and from there to the user's rows and the totals. */
import {
  type Counts,
  type HostCounts,
  NO_DOMAIN,
  type ProgressRow,
  type Shard,
  type Totals,
  type TotalsPart,
  type UserCounts,
} from './documents.ts';

const NOTHING: Counts = { total: 0, completed: 0, inProgress: 0, minutes: 0 };

function added(a: Counts, b: Counts): Counts {
  return {
    total: a.total + b.total,
    completed: a.completed + b.completed,
    inProgress: a.inProgress + b.inProgress,
    minutes: a.minutes + b.minutes,
  };
}

const sumOf = (counts: readonly Counts[]): Counts => counts.reduce(added, NOTHING);

function hostsOf({ jobs }: Shard): Readonly<Record<string, HostCounts>> {
  const hosts: Record<string, HostCounts> = {};
  for (const { host, activeAt, ...counts } of Object.values(jobs)) {
    const before = hosts[host];
    hosts[host] = before
      ? { ...added(before, counts), activeAt: later(before.activeAt, activeAt) }
      : { ...counts, activeAt };
  }
  return hosts;
}

const later = (a: string, b: string): string => (a > b ? a : b);

/** `shard`: null once it has no jobs. */
export function evolveUser(user: UserCounts, key: string, shard: Shard | null): UserCounts {
  const { [key]: _, ...others } = user.shards;
  return { ...user, shards: shard ? { ...others, [key]: hostsOf(shard) } : others };
}

const hostCountsOf = ({ shards }: UserCounts): readonly (readonly [host: string, counts: HostCounts])[] =>
  Object.values(shards).flatMap((hosts) => Object.entries(hosts));

/** Sites with action items, sorted; if there are none, a single row that says so. */
export function domainsOf(user: UserCounts): readonly string[] {
  const hosts = new Set(hostCountsOf(user).flatMap(([host, { total }]) => (total > 0 ? [host] : [])));
  return hosts.size === 0 ? [NO_DOMAIN] : [...hosts].sort();
}

/** Null if the user has fewer rows. */
export function rowOf(user: UserCounts, nth: number): ProgressRow | null {
  const domain = domainsOf(user)[nth];
  if (domain === undefined) return null;
  const counts = hostCountsOf(user).flatMap(([host, each]) => (domain === NO_DOMAIN || host === domain ? [each] : []));
  const { total, completed, inProgress, minutes } = sumOf(counts);
  return {
    kind: 'row',
    userId: user.userId,
    email: user.email,
    domain,
    totalActions: total,
    completedActions: completed,
    inProgressActions: inProgress,
    completionPercentage: total === 0 ? 0 : Math.round((completed / total) * 100),
    timeSaved: minutes,
    lastActivity: counts.reduce<string | null>(
      (latest, { activeAt }) => (latest === null ? activeAt : later(latest, activeAt)),
      null,
    ),
  };
}

export function evolvePart(part: TotalsPart | null, userId: string, user: UserCounts | null): TotalsPart | null {
  const { [userId]: _, ...others } = part?.users ?? {};
  if (!user) return Object.keys(others).length === 0 ? null : { kind: 'part', users: others };
  return { kind: 'part', users: { ...others, [userId]: sumOf(hostCountsOf(user).map(([, counts]) => counts)) } };
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
