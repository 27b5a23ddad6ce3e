/** An account with data of every kind, before its deletion. */
import { randomBytes } from 'node:crypto';
import type { ListOwned } from '../../src/commands/account/accountParts.ts';
import { createApiKey } from '../../src/commands/apiKeys/createApiKey.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { startSession } from '../../src/commands/session/startSession.ts';
import { queueDelivery } from '../../src/commands/webhooks/webhookDeliveries.ts';
import { addWebhook } from '../../src/commands/webhooks/webhooks.ts';
import { PROJECTIONS } from '../../src/projections/all.ts';
import type { KeptAnswersDocument } from '../../src/projections/keptAnswers.ts';
import { sessionIdOf } from '../../src/projections/sessions.ts';
import { completeJob } from './audit/auditedJob.ts';
import { type Product, userOf, withAdmin } from './commands.ts';
import { fold } from './stores/projection.ts';

export const LEAVER = 'planted@example.com';

/** As listed by the read models; webhook deliveries even if already erased, since their model may lag. */
export const ownedOf = (made: Pick<Product, 'log'>): ListOwned =>
  async function* (model, userId, which) {
    if (model === 'webhookDeliveries') {
      for (const { type, data, stream } of await made.log()) {
        const queued = type === 'WebhookQueued' && (data as { userId: string }).userId === userId;
        if (queued) yield stream.replace('webhook-delivery-', '');
      }
      return;
    }
    const projection = PROJECTIONS.find(({ name }) => name === model);
    if (!projection) throw new Error(`There is no read model ${model}.`);
    const events = (await made.log()) as unknown as Parameters<typeof fold>[1];
    for (const [id, data] of Object.entries(fold(projection, events))) {
      const fields: Readonly<Record<string, unknown>> = { ...data };
      const fits = Object.entries({ ...which, userId }).every(([field, value]) => fields[field] === value);
      if (!fits) continue;
      if (model === 'keptAnswers') yield* (data as KeptAnswersDocument).streams;
      else if (model === 'sessions') yield sessionIdOf(id);
      else yield id;
    }
  };

export async function leaver(): Promise<{ made: Product; userId: string }> {
  const made = await withAdmin();
  const userId = await userOf(made, LEAVER);
  const newToken = () => randomBytes(32).toString('base64url');
  await startSession(made.context(), { userId, newToken });
  await createApiKey(made.context(), { userId, name: 'PLANTED', scope: 'read', expiresAt: null, newToken });
  const site = { url: 'https://planted.example/', host: 'planted.example' };
  const { jobIds } = await submitJobs(made.context(), {
    userId,
    sites: [site, { ...site, url: `${site.url}b` }],
    bounds: { maxPages: 5, maxMs: 1_000 },
  });
  await completeJob(made, jobIds[0] ?? '', userId);
  const { endpointId } = await addWebhook(made.context(), {
    userId,
    url: 'https://planted.example/hook',
    events: ['job.completed'],
    newToken,
  });
  const message = { event: 'job.completed', createdAt: made.now(), data: { of: 'PLANTED' } } as const;
  await queueDelivery(made.context(), { userId, endpointId, causeId: 'a job', message });
  return { made, userId };
}

/** Types of events with data about the account. */
export const traces = async (made: Product): Promise<readonly string[]> =>
  (await made.log()).filter((event) => /planted|hash of/i.test(JSON.stringify(event.data))).map((event) => event.type);
