import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signUp } from '../../../src/commands/account/signUp.ts';
import { writeExportPart } from '../../../src/commands/accountExport/exportFile.ts';
import { closeAccountExports } from '../../../src/commands/accountExport/removeAccountExport.ts';
import { requestAccountExport } from '../../../src/commands/accountExport/requestAccountExport.ts';
import { createApiKey } from '../../../src/commands/apiKeys/createApiKey.ts';
import { noteApiKeyUse } from '../../../src/commands/apiKeys/noteApiKeyUse.ts';
import { handle, loadState } from '../../../src/commands/handle.ts';
import { forgetPromptTrial } from '../../../src/commands/promptTrial/forgetPromptTrial.ts';
import { requestPromptTrial } from '../../../src/commands/promptTrial/requestPromptTrial.ts';
import { endSession } from '../../../src/commands/session/endSession.ts';
import { startSession } from '../../../src/commands/session/startSession.ts';
import { forgetDelivery } from '../../../src/commands/webhooks/webhookDeliveries.ts';
import { closeWebhooks, rotateWebhookSecret, webhookSecretsOf } from '../../../src/commands/webhooks/webhooks.ts';
import { accountExportDecider } from '../../../src/domain/accountExport/accountExport.ts';
import { exportsStream } from '../../../src/domain/accountExport/events.ts';
import { apiKeysDecider } from '../../../src/domain/apiKeys/apiKeys.ts';
import { apiKeysStream } from '../../../src/domain/apiKeys/events.ts';
import { promptTrialStream } from '../../../src/domain/promptTrial/events.ts';
import { promptTrialDecider } from '../../../src/domain/promptTrial/promptTrial.ts';
import { webhookSecretStream } from '../../../src/domain/webhooks/events.ts';
import { createTruncations } from '../../../src/work/followers/truncations.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { finishedAnalysis } from '../../given/finishedAnalysis.ts';
import { followLog } from '../../given/work/following.ts';
import { deliveryTo, webhookOf } from '../../given/work/webhooks.ts';

const newToken = () => randomUUID().replaceAll('-', '').repeat(2);
const follow = (made: Product) => followLog(made.store, createTruncations(made));
const has = async (made: Product, type: string) => (await made.log()).some((event) => event.type === type);

describe('the erasure that follows an event', () => {
  it('covers the former secret of a webhook when the rotation crashed', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      const endpointId = await webhookOf(made, ann);
      const rotation = { userId: ann, endpointId, keepFormer: false, newToken };
      await orCrash(rotateWebhookSecret(made.context('command-1', breaking(made.store)), rotation));
      const before = await webhookSecretsOf(made.store, endpointId, made.now());
      await follow(made);
      expect(await made.types('webhook-secret-')).toHaveLength(1);
      expect(await webhookSecretsOf(made.store, endpointId, made.now())).toEqual(before);
    });
    expect(deaths).toBe(4);
  });

  it('covers the content of a deleted delivery', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      const endpointId = await webhookOf(made, ann);
      const deliveryId = await deliveryTo(made, ann, endpointId);
      await orCrash(forgetDelivery(made.context('command-1', breaking(made.store)), { deliveryId, endpointId }));
      await follow(made);
      expect(await has(made, 'WebhookQueued')).toBe(!(await has(made, 'WebhookForgotten')));
    });
  });

  it('covers question and answer of an erased trial, and nothing of the one after it', async () => {
    await atEveryCrash(async (breaking) => {
      const { made, jobId } = await finishedAnalysis();
      const ask = (content: string) =>
        requestPromptTrial(made.context(), { jobId, adminId: 'ada', key: 'summary', content });
      await ask('One.');
      await handle(made.context(), promptTrialDecider, promptTrialStream(jobId), {
        type: 'GiveUpPromptTrial',
        code: 'C',
        reason: 'R',
        at: made.now(),
      });
      await orCrash(forgetPromptTrial(made.context('command-1', breaking(made.store)), { jobId, ask: 1 }));
      await ask('Two.');
      await follow(made);
      const left = ['PromptTrialForgotten', 'PromptTrialAsked'];
      expect(await made.types('prompt-trial-')).toEqual(
        (await has(made, 'PromptTrialForgotten'))
          ? left
          : ['PromptTrialAsked', 'PromptTrialGivenUp', 'PromptTrialAsked'],
      );
    });
  });

  it('covers the exports of a deleted account, and the file of one that failed', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const [ann, ben] = [await userOf(made), await userOf(made, 'ben@example.com')];
      for (const userId of [ann, ben]) {
        const { state } = await requestAccountExport(made.context(), { userId }).then(() =>
          loadState(made.store, accountExportDecider, exportsStream(userId)),
        );
        if (state.status === 'pending') await writeExportPart(made.context(), state, 0, '{}');
      }
      await handle(made.context(), accountExportDecider, exportsStream(ben), {
        type: 'FailExport',
        code: 'C',
        reason: 'R',
        at: made.now(),
      });
      await orCrash(closeAccountExports(made.context('command-1', breaking(made.store)), ann));
      await follow(made);
      const isClosed = await has(made, 'AccountExportRemoved');
      expect(await made.types(exportsStream(ann))).toEqual([
        isClosed ? 'AccountExportRemoved' : 'AccountExportRequested',
      ]);
      expect(await made.types(exportsStream(ben))).toEqual(['AccountExportRequested', 'AccountExportFailed']);
      expect(await made.types('export-file-')).toHaveLength(isClosed ? 0 : 1);
    });
  });

  it('covers a session of a deleted account, and no other ended one', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    for (const reason of ['account_deleted', 'logout'] as const) {
      const { sessionId } = await startSession(made.context(), { userId: ann, newToken });
      await endSession(made.context(), { sessionId, userId: ann, reason });
    }
    await follow(made);
    expect(await made.types('session-')).toEqual(['SessionEnded', 'SessionStarted', 'SessionEnded']);
  });

  it('covers closed API keys and webhooks, with their streams', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { keyId } = await createApiKey(made.context(), {
      userId: ann,
      name: 'PLANTED',
      scope: 'read',
      expiresAt: null,
      newToken,
    });
    await noteApiKeyUse(made.context(), { keyId });
    await handle(made.context(), apiKeysDecider, apiKeysStream(ann), {
      type: 'CloseApiKeys',
      userId: ann,
      at: made.now(),
    });
    const endpointId = await webhookOf(made, ann);
    await atEveryCrash(async (breaking) => {
      await orCrash(closeWebhooks(made.context('command-1', breaking(made.store)), ann));
    });
    await follow(made);
    expect(await made.types('api-key')).toEqual(['ApiKeysClosed']);
    expect((await made.store.read(webhookSecretStream(endpointId))).status).toBe('deleted');
  });

  it('covers an account whose address was refused', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      await userOf(made);
      const again = { email: 'ann@example.com', name: 'Second', passwordHash: 'PLANTED' };
      // Read while it was still free.
      const blind = Object.assign(Object.create(made.store) as typeof made.store, {
        read: (() => {
          let reads = 0;
          return async (...input: Parameters<typeof made.store.read>) => {
            reads += 1;
            return reads === 1 ? ({ status: 'missing' } as const) : made.store.read(...input);
          };
        })(),
      });
      const outcome = await orCrash(signUp(made.context('command-1', breaking(blind)), again)).catch(
        (error: { code: string }) => error.code,
      );
      await follow(made);
      const refused = await has(made, 'EmailRefused');
      if (outcome !== 'crashed') expect(outcome).toBe('EMAIL_TAKEN');
      if (refused) expect(JSON.stringify((await made.log()).map(({ data }) => data))).not.toContain('PLANTED');
    });
    expect(deaths).toBe(6);
  });

  it('happens once', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const endpointId = await webhookOf(made, ann);
    await rotateWebhookSecret(made.context(), { userId: ann, endpointId, keepFormer: true, newToken });
    let truncations = 0;
    const counting = Object.assign(Object.create(made.store) as typeof made.store, {
      truncate: async () => {
        truncations += 1;
      },
    });
    await followLog(made.store, createTruncations({ store: counting }));
    expect(truncations).toBe(0);
  });
});
