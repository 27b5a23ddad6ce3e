import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { addWebhook, removeWebhook, switchWebhook } from '../../../src/commands/webhooks/webhooks.ts';
import type { RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import type { WebhookEvent } from '../../../src/model/programs.ts';
import { NotYet } from '../../../src/work/follower.ts';
import { createAnnouncements } from '../../../src/work/followers/announcements.ts';
import { completeJob } from '../../given/audit/auditedJob.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { asOfIf, followLog } from '../../given/work/following.ts';

const newToken = () => randomUUID();
const add = async (
  made: Product,
  userId: string,
  events: readonly WebhookEvent[] = ['job.completed', 'action.completed'],
) => (await addWebhook(made.context(), { userId, url: 'https://hooks.example.com/', events, newToken })).endpointId;
async function finish(made: Product, userId: string): Promise<string> {
  const sites = [{ url: 'https://example.com/', host: 'example.com' }];
  const jobId =
    (await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 5, maxMs: 1_000 } })).jobIds[0] ?? '';
  await completeJob(made, jobId, userId);
  return jobId;
}

type Given = {
  readonly reached?: boolean;
  readonly factsOf?: (event: RecordedEvent) => Promise<object | null>;
  readonly isAllowed?: (of: { readonly madeAt: string }) => Promise<boolean>;
  readonly store?: Product['store'];
};
const followerOf = (
  made: Product,
  { reached = true, factsOf = async ({ data }) => data, store = made.store, isAllowed = async () => true }: Given = {},
) => createAnnouncements({ context: () => made.context(undefined, store), asOf: asOfIf(reached), factsOf, isAllowed });

type Queued = { readonly endpointId: string; readonly event: string; readonly body: string };
const queued = async (made: Product) =>
  (await made.log()).filter(({ type }) => type === 'WebhookQueued').map(({ data }) => data as Queued);

describe('a webhook announcement', () => {
  it('goes once to the owner’s webhooks that subscribe to it, with the time of the event', async () => {
    const made = await withAdmin();
    const [ann, bob] = [await userOf(made), await userOf(made, 'bob@example.com')];
    const wanting = await add(made, ann);
    await add(made, ann, ['action.completed']);
    await add(made, bob);
    const jobId = await finish(made, ann);
    const happenedAt = made.now();
    made.pass(60);
    for (let nth = 0; nth < 2; nth += 1) await followLog(made.store, followerOf(made));
    const [message, ...others] = await queued(made);
    expect(others).toEqual([]);
    expect(message).toMatchObject({ endpointId: wanting, event: 'job.completed' });
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      type: 'job.completed',
      created_at: happenedAt,
      data: { jobId },
    });
  });

  it('goes to webhooks enabled at that time: enabled later, or added later, is too late', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const [on, off, offLater] = [await add(made, ann), await add(made, ann), await add(made, ann)];
    await switchWebhook(made.context(), { userId: ann, endpointId: off, on: false, reason: 'owner' });
    await finish(made, ann);
    await switchWebhook(made.context(), { userId: ann, endpointId: off, on: true });
    await switchWebhook(made.context(), { userId: ann, endpointId: offLater, on: false, reason: 'owner' });
    await add(made, ann);
    await followLog(made.store, followerOf(made));
    expect((await queued(made)).map(({ endpointId }) => endpointId).sort()).toEqual([on, offLater].sort());
  });

  it('goes to no removed webhook, and for no deleted job', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const removed = await add(made, ann);
    const jobId = await finish(made, ann);
    await removeWebhook(made.context(), { userId: ann, endpointId: removed });
    await followLog(made.store, followerOf(made));
    expect(await queued(made)).toEqual([]);
    await add(made, ann);
    const gone = await finish(made, ann);
    for (const each of [jobId, gone]) await deleteJob(made.context(), { jobId: each });
    await followLog(made.store, followerOf(made, { factsOf: async () => null }));
    expect(await queued(made)).toEqual([]);
  });

  it('goes to no webhook that no plan allows, and is not sent later', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const before = await add(made, ann);
    made.pass(60);
    const since = made.now();
    await add(made, ann);
    await finish(made, ann);
    const isAllowed = async ({ madeAt }: { readonly madeAt: string }) => madeAt < since;
    await followLog(made.store, followerOf(made, { isAllowed }));
    expect((await queued(made)).map(({ endpointId }) => endpointId)).toEqual([before]);
  });

  it('waits for its facts only if a webhook subscribes', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await finish(made, ann);
    await followLog(made.store, followerOf(made, { reached: false }));
    await add(made, ann);
    await finish(made, ann);
    await expect(followLog(made.store, followerOf(made, { reached: false }))).rejects.toBeInstanceOf(NotYet);
  });

  it('is queued once per webhook, wherever a process crashes', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      const endpoints = [await add(made, ann), await add(made, ann)];
      await finish(made, ann);
      await orCrash(followLog(made.store, followerOf(made, { store: breaking(made.store) })));
      await followLog(made.store, followerOf(made));
      expect((await queued(made)).map(({ endpointId }) => endpointId).sort()).toEqual(endpoints.sort());
    });
    expect(deaths).toBe(4);
  });
});
