/** An account with something of everything, as it is before it is deleted. */
import { randomBytes } from 'node:crypto';
import type { ListOwned } from '../../src/commands/account/accountParts.ts';
import { createApiKey } from '../../src/commands/apiKeys/createApiKey.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { startSession } from '../../src/commands/session/startSession.ts';
import { queueDelivery } from '../../src/commands/webhooks/webhookDeliveries.ts';
import { addWebhook } from '../../src/commands/webhooks/webhooks.ts';
import { completeJob } from './audit/auditedJob.ts';
import { type Product, userOf, withAdmin } from './commands.ts';

export const LEAVER = 'planted@example.com';

/** As the read model would list them: what the log says was queued. */
export const ownedOf = (made: Pick<Product, 'log'>): ListOwned =>
  async function* (model, userId) {
    for (const { type, data, stream } of await made.log()) {
      if (model === 'webhookDeliveries' && type === 'WebhookQueued' && (data as { userId: string }).userId === userId)
        yield stream.replace('webhook-delivery-', '');
    }
  };

export async function leaver(): Promise<{ made: Product; userId: string }> {
  const made = await withAdmin();
  const userId = await userOf(made, LEAVER);
  const newToken = () => randomBytes(32).toString('base64url');
  await startSession(made.context(), { userId, newToken });
  await createApiKey(made.context(), { userId, name: 'PLANTED', scope: 'read', expiresAt: null, newToken });
  const site = { url: 'https://planted.example/', host: 'planted.example' };
  const { jobIds } = await submitJobs(made.context(), { userId, sites: [site, { ...site, url: `${site.url}b` }], bounds: { maxPages: 5, maxMs: 1_000 } });
  await completeJob(made, jobIds[0] ?? '', userId);
  const { endpointId } = await addWebhook(made.context(), { userId, url: 'https://planted.example/hook', events: ['job.completed'], newToken });
  const message = { event: 'job.completed', createdAt: made.now(), data: { of: 'PLANTED' } } as const;
  await queueDelivery(made.context(), { userId, endpointId, causeId: 'a job', message });
  return { made, userId };
}

/** Types of the events that tell something of the account. */
export const traces = async (made: Product): Promise<readonly string[]> =>
  (await made.log()).filter((event) => /planted|hash of/i.test(JSON.stringify(event.data))).map((event) => event.type);
