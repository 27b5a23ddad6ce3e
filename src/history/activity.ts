/** What a user did and what was done to their data, newest first, one page at a time. */

import { apiKeysStream } from '../domain/apiKeys/events.ts';
import { jobStream } from '../domain/job/events.ts';
import { eventsOf, isOf } from '../domain/stored/eventOf.ts';
import { webhooksStream } from '../domain/webhooks/events.ts';
import type { EventStore, Recorded } from '../eventStore/eventStore.ts';
import { createPace } from '../eventStore/pacing.ts';
import { type ActivityEvent, isActivity, listActivity } from '../projections/history/activity.ts';
import { listJobsById } from '../projections/jobs.ts';
import { listWebhooks } from '../projections/webhooks.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { eventsAt } from './eventsAt.ts';
import { namesIn } from './keptNames.ts';

/** What the events name, by id, unless the log of it is erased: sites of jobs, names of keys, hosts of webhooks. */
export type ActivityNames = Readonly<Record<'hosts' | 'keys' | 'webhooks', ReadonlyMap<string, string>>>;

/** Of many audits deleted at once. */
export const SITES_NAMED = 3;

export type ActivityPage = {
  readonly events: readonly Recorded<ActivityEvent>[];
  readonly names: ActivityNames;
  readonly cursor: string | null;
};

type Sources = { readonly readModels: ReadModels; readonly store: Pick<EventStore, 'read'> };

/** Skips pages whose events have all been erased, so only the last page can be empty. */
export async function activityOf(
  sources: Sources,
  userId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<ActivityPage> {
  const { readModels, store } = sources;
  const pace = createPace('request');
  let next = cursor;
  for (;;) {
    const page = await listActivity(readModels, userId, { limit, cursor: next });
    const read = await eventsAt(
      store,
      page.documents.map(({ data }) => data),
    );
    const events = read.filter(isActivity);
    if (events.length > 0 || page.cursor === null)
      return { events, names: await namesOf(sources, userId, events), cursor: page.cursor };
    next = page.cursor;
    await pace.pass();
  }
}

async function namesOf(
  sources: Sources,
  userId: string,
  events: readonly Recorded<ActivityEvent>[],
): Promise<ActivityNames> {
  const [hosts, keys, webhooks] = await Promise.all([
    hostsOf(sources, userId, events),
    keysOf(sources, userId, events),
    webhooksOf(sources, userId, events),
  ]);
  return { hosts, keys, webhooks };
}

/**
 * From the job itself; for one that its owner deleted, from its submission, which its stream keeps until the account is
 * deleted.
 */
async function hostsOf(
  { readModels, store }: Sources,
  userId: string,
  events: readonly Recorded<ActivityEvent>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(events.flatMap(jobsNamedIn));
  const hosts = new Map((await listJobsById(readModels, [...ids])).map(({ id, data }) => [id, data.host]));
  const gone = [...ids].filter((id) => !hosts.has(id));
  const submitted = await eventsAt(
    store,
    gone.map((jobId) => ({ stream: jobStream(jobId), revision: 0 })),
  );
  for (const { data } of eventsOf(submitted, 'JobSubmitted'))
    if (data.userId === userId) hosts.set(data.jobId, data.host);
  return hosts;
}

function jobsNamedIn(event: Recorded<ActivityEvent>): readonly string[] {
  if (event.type === 'JobsDeleted') return event.data.jobIds.slice(0, SITES_NAMED);
  if (event.type === 'AdminLooked')
    return event.data.thing === 'job' || event.data.thing === 'report' ? [event.data.thingId] : [];
  return 'jobId' in event.data ? [event.data.jobId] : [];
}

/** Names of keys by id, from the events that created them. */
async function keysOf(
  { store }: Sources,
  userId: string,
  events: readonly Recorded<ActivityEvent>[],
): Promise<ReadonlyMap<string, string>> {
  if (eventsOf(events, 'ApiKeyRevoked', 'EventsExported').length === 0) return new Map();
  return namesIn(store, apiKeysStream(userId), (event) =>
    isOf(event, 'ApiKeyCreated') ? [event.data.keyId, event.data.name] : null,
  );
}

/**
 * Hosts of webhooks by id. The rest of an address may open something. Of one that was removed, from the event that
 * added it, which may be far back.
 */
async function webhooksOf(
  { readModels, store }: Sources,
  userId: string,
  events: readonly Recorded<ActivityEvent>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(events.flatMap((event) => ('endpointId' in event.data ? [event.data.endpointId] : [])));
  if (ids.size === 0) return new Map();
  const present = new Map((await listWebhooks(readModels, userId)).map(({ id, url }) => [id, new URL(url).host]));
  if ([...ids].every((id) => present.has(id))) return present;
  return namesIn(store, webhooksStream(userId), (event) =>
    isOf(event, 'WebhookAdded') ? [event.data.endpointId, new URL(event.data.url).host] : null,
  );
}
