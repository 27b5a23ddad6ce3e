/**
 * Actors and causes: from a request through its command and a worker to a mail, and on every event that the product
 * writes.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionItemsMarkdown } from '../../src/audit/report/actionItemsMarkdown.ts';
import { contextOf } from '../../src/commands/context.ts';
import { mailIdOf } from '../../src/commands/mail/mailOf.ts';
import { EVENT_METADATA } from '../../src/domain/stored/metadata.ts';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { createFollowers } from '../../src/work/followers/all.ts';
import { getItem, WORK_ITEMS } from '../../src/work/items.ts';
import { AUDIT, auditKind } from '../../src/work/kinds/audit.ts';
import { MAIL, mailKind } from '../../src/work/kinds/mail.ts';
import { auditDeps } from '../given/audit/auditDeps.ts';
import { product } from '../given/commands.ts';
import { quickPasswords } from '../given/passwords.ts';
import { startTestApp, type TestApp } from '../given/product/http.ts';
import { followLog, still } from '../given/work/following.ts';
import { receivingMailer } from '../given/work/mailDelivery.ts';

const HOLDING = { held: () => true, attempts: 0, isSlotWanted: async () => false };
const appUrl = 'https://seo.example.com';
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const log = async (): Promise<readonly RecordedEvent[]> => (await app.store.readAll({ limit: 5_000 })).events;
const of = async (type: string): Promise<RecordedEvent> => {
  const event = (await log()).findLast((each) => each.type === type);
  if (!event) throw new Error(`The log has no ${type}.`);
  return event;
};
async function pendingItem(kind: string, itemId: string) {
  await app.readModels.reached([WORK_ITEMS], await app.store.head(), 5_000);
  const item = await getItem(app.readModels, kind, itemId);
  if (!item) throw new Error(`No ${kind} ${itemId} is pending.`);
  return item.data;
}

describe('the causes of an event', () => {
  it('lead from a request to the mail that it caused', async () => {
    await app.signUp();
    const ann = await app.signUp();
    const answer = await ann.call('POST', '/api/v1/process', { url: 'shop.example' }, { 'Idempotency-Key': 'once' });
    expect(answer.status).toBe(202);
    const requestId = answer.headers.get('x-request-id');
    const submitted = await of('JobSubmitted');
    const byAnn = { actor: { kind: 'user', id: ann.userId }, correlationId: requestId };
    expect(submitted.metadata).toMatchObject(byAnn);
    // One command: its acceptance, its reservation, its submission.
    for (const type of ['RequestAccepted', 'AnalysisReserved', 'RequestAnswered'])
      expect((await of(type)).metadata).toMatchObject({ ...byAnn, causationId: submitted.metadata.causationId });

    const { jobId } = submitted.data as { readonly jobId: string };
    const made = { ...product(app.store), now: app.deps.now };
    const audits = auditKind(auditDeps(made, 'shop.example'), { parallel: 1, random: Math.random });
    await audits.giveUp(await pendingItem(AUDIT, jobId), 'failed', () => true);
    const failed = await of('JobFailed');
    expect(failed.metadata).toMatchObject({ actor: { kind: 'worker', id: 'audit' }, correlationId: submitted.id });

    const context = (id: string) => (cause: { readonly id: string } | null) =>
      contextOf({ store: app.store, now: app.deps.now, commandId: randomUUID(), actor: { kind: 'system', id } }, cause);
    const { readModels, store } = app;
    const followers = createFollowers({
      store,
      readModels,
      snapshots: readModels.snapshots,
      context: context('followers'),
      mailer: null,
      payments: null,
      adminEmail: undefined,
      appUrl,
      itemsFile: actionItemsMarkdown,
      recordsRuns: 5,
    });
    for (const follower of followers) await followLog(store, follower);
    expect((await of('AnalysisReleased')).metadata).toMatchObject({
      actor: { kind: 'system', id: 'followers' },
      correlationId: failed.id,
    });

    const { mailer } = receivingMailer();
    const texts = {
      newToken: () => 'x'.repeat(43),
      hashCode: quickPasswords.hash,
      appUrl,
      companyName: 'Example',
      supportEmail: 'help@example.com',
      payments: null,
    };
    const mails = mailKind(
      { ...texts, mailer, now: app.deps.now, log: { info: () => undefined }, context: context('mails') },
      { random: Math.random },
    );
    await mails.perform(await pendingItem(MAIL, mailIdOf(failed) ?? ''), HOLDING, still);
    const mail = (await log()).findLast(({ stream }) => stream.startsWith('mail-'));
    const wayBack: string[] = [];
    for (let at: RecordedEvent | undefined = mail; at; ) {
      wayBack.push(at.type);
      const cause: string = at.metadata.correlationId;
      at = (await log()).find(({ id }) => id === cause);
      if (!at) wayBack.push(cause === requestId ? 'the request' : cause);
    }
    expect(wayBack).toEqual([mail?.type, 'JobFailed', 'JobSubmitted', 'the request']);
  });

  it('name an API key with its owner, and anonymous requests without a user', async () => {
    const ann = await app.signUp();
    expect((await of('AccountRegistered')).metadata.actor).toEqual({ kind: 'anonymous', id: 'anonymous' });
    const { key, data } = (await ann.call('POST', '/api/v1/api-keys', { name: 'A program', scope: 'write' })).body;
    const answer = await app.call('POST', '/api/v1/process', { token: key, body: { url: 'shop.example' } });
    expect(answer.status).toBe(202);
    expect((await of('JobSubmitted')).metadata.actor).toEqual({ kind: 'apiKey', id: data.id, onBehalfOf: ann.userId });
  });

  it('are recorded on every type of event', async () => {
    const events = await log();
    expect(events.length).toBeGreaterThan(15);
    expect(events.filter(({ metadata }) => !EVENT_METADATA.safeParse(metadata).success)).toEqual([]);
  });
});
