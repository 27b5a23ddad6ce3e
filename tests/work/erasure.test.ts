/**
 * Erasure removes nothing from the list of pending work that no event has closed, and leaves nothing on it: the log
 * gives the same list with its erased parts gone.
 */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeEmail } from '../../src/commands/account/changeEmail.ts';
import { changePassword } from '../../src/commands/account/changePassword.ts';
import { deleteAccount } from '../../src/commands/account/deleteAccount.ts';
import { requestEmailConfirmation } from '../../src/commands/account/requestEmailConfirmation.ts';
import { requestPasswordReset } from '../../src/commands/account/requestPasswordReset.ts';
import { handle, loadState } from '../../src/commands/handle.ts';
import { cancelJob } from '../../src/commands/job/cancelJob.ts';
import { deleteJob } from '../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { mailOf } from '../../src/commands/mail/mailOf.ts';
import { forgetDelivery } from '../../src/commands/webhooks/webhookDeliveries.ts';
import { removeWebhook, switchWebhook } from '../../src/commands/webhooks/webhooks.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { accountStream } from '../../src/domain/account/events.ts';
import { DomainError } from '../../src/domain/decider.ts';
import { mailStream } from '../../src/domain/mail/events.ts';
import { mailDecider } from '../../src/domain/mail/mail.ts';
import { sequenceMailsStream } from '../../src/domain/sequence/events.ts';
import { sequenceMailsDecider } from '../../src/domain/sequence/mails.ts';
import type { EventStore, RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { createDeletedAccounts } from '../../src/work/followers/deletedAccounts.ts';
import { createDeletedJobs } from '../../src/work/followers/deletedJobs.ts';
import { createRemovedWebhooks } from '../../src/work/followers/removedWebhooks.ts';
import { createTruncations } from '../../src/work/followers/truncations.ts';
import { WORK_RULES } from '../../src/work/rules.ts';
import { decideOn, failJob, workOn } from '../given/audit/auditedJob.ts';
import { crashingStore, orCrash, type Product, product, userOf, withAdmin } from '../given/commands.ts';
import { FULL } from '../given/fullForm.ts';
import { ownedOf } from '../given/leaver.ts';
import { turnSecondFactor } from '../given/secondFactor.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { asOfIf, followLog } from '../given/work/following.ts';
import { answer, deliveryTo, webhookOf } from '../given/work/webhooks.ts';

const SEED = 20261123;
const RUNS = FULL ? 200 : 100;
const NOTHING_KEPT = { remove: async () => undefined };

const STEPS = [
  'submit',
  'submit batch',
  'complete job',
  'fail job',
  'cancel job',
  'delete job',
  'ask reset',
  'change password',
  'change address',
  'ask to confirm',
  'turn second factor',
  'add webhook',
  'send',
  'try in vain',
  'arrive',
  'switch off',
  'failing',
  'remove webhook',
  'forget delivery',
  'send mail',
  'drop mail',
  'schedule mail',
  'delete account',
] as const;
type Step = {
  readonly act: (typeof STEPS)[number];
  readonly who: number;
  readonly which: number;
  readonly dies: number | null;
};

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...STEPS),
  who: fc.nat(2),
  which: fc.nat(5),
  // At its nth write, as processes do.
  dies: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }) }),
});

/** Every event ever appended, in log order. */
function recording(store: EventStore): { readonly store: EventStore; readonly whole: RecordedEvent[] } {
  const whole: RecordedEvent[] = [];
  const append: EventStore['append'] = async (stream, events, options) => {
    const result = await store.append(stream, events, options);
    const first = result.revision - BigInt(events.length) + 1n;
    const known = new Set(whole.map(({ id }) => id));
    for (const [nth, event] of events.entries()) {
      if (!known.has(event.id))
        whole.push({ ...event, stream, revision: first + BigInt(nth), position: result.position });
    }
    return result;
  };
  return { store: Object.assign(Object.create(store) as EventStore, { append }), whole };
}

/** A plain fold of the table of rules. */
function pendingIn(events: readonly RecordedEvent[]): readonly string[] {
  const pending = new Set<string>();
  for (const event of events) {
    for (const { kind, opens, closes } of WORK_RULES) {
      const closed = closes[event.type]?.(event) ?? null;
      if (closed !== null) pending.delete(`${kind}/${closed}`);
      const opened = opens[event.type]?.(event) ?? null;
      if (opened !== null) pending.add(`${kind}/${opened.itemId}`);
    }
  }
  return [...pending].sort();
}

type World = { readonly made: Product; readonly whole: readonly RecordedEvent[]; readonly users: readonly string[] };

async function perform({ made, whole, users }: World, { act, who, which, dies }: Step): Promise<void> {
  const userId = users[who % users.length] ?? '';
  const store = dies === null ? made.store : crashingStore(made.store, dies, which % 2 === 0 ? 'before' : 'after');
  const breaking: Product = { ...made, store, context: (commandId, other) => made.context(commandId, other ?? store) };
  const ctx = breaking.context();
  const ofUser = (type: string): readonly { readonly [name: string]: string }[] =>
    whole
      .filter((event) => event.type === type && (event.data as { userId?: string }).userId === userId)
      .map(({ data }) => data as Record<string, string>);
  const nth = <T>(items: readonly T[]): T | undefined => items[which % Math.max(1, items.length)];
  const jobId = nth(ofUser('JobSubmitted'))?.jobId ?? '';
  const endpointId = nth(ofUser('WebhookAdded'))?.endpointId ?? '';
  const deliveryId = nth(ofUser('WebhookQueued'))?.deliveryId ?? '';
  const owing = nth(whole.filter((event) => mailOf(event) !== null));
  const mail = owing && mailOf(owing);
  const submit = async (count: number) => {
    const sites = Array.from({ length: count }, (_, at) => ({
      url: `https://example.com/${randomUUID()}/${at}`,
      host: 'example.com',
    }));
    await submitJobs(ctx, { userId, sites, bounds: { maxPages: 1, maxMs: 1 }, freeAnalyses: 100 });
  };
  const facts = { ...(mail ?? { mailId: '', kind: 'job_done' as const }), userId, at: made.now() };
  const acts: Record<Step['act'], () => Promise<unknown>> = {
    submit: () => submit(1),
    'submit batch': () => submit(3),
    'complete job': () =>
      workOn(breaking, jobId).then(() => decideOn(breaking, jobId, { type: 'CompleteJob', at: made.now() })),
    'fail job': () => failJob(breaking, jobId),
    'cancel job': () => cancelJob(ctx, { jobId }),
    'delete job': () => deleteJob(ctx, { jobId }),
    'ask reset': () => requestPasswordReset(ctx, { email: `user${who}@example.com` }),
    'change password': () => changePassword(ctx, { userId, passwordHash: randomUUID(), keptSessionId: 'this one' }),
    'change address': () => changeEmail(ctx, { userId, email: `user${who}-${which}@example.com` }),
    'ask to confirm': () => requestEmailConfirmation(ctx, { userId, email: `wanted${which}@example.com` }),
    'turn second factor': () => turnSecondFactor(ctx, { userId, on: which % 2 === 0 }),
    'add webhook': () => webhookOf(breaking, userId),
    send: async () => endpointId !== '' && (await deliveryTo(breaking, userId, endpointId)),
    'try in vain': () => answer(breaking, deliveryId, { attempt: 1, ok: false, final: which > 2 }),
    arrive: () => answer(breaking, deliveryId, { attempt: 1, ok: true }),
    'switch off': () => switchWebhook(ctx, { userId, endpointId, on: false, reason: 'owner' }),
    failing: () => switchWebhook(ctx, { userId, endpointId, on: false, reason: 'failing' }),
    'remove webhook': () => removeWebhook(ctx, { userId, endpointId }),
    'schedule mail': async () => {
      const { state } = await loadState(made.store, accountDecider, accountStream(userId));
      if (state.status !== 'active') return;
      const [stream, at] = [sequenceMailsStream(userId), made.now()];
      const enrolmentId = `enrolment ${userId} ${which}`;
      const enrol = {
        type: 'Enrol',
        userId,
        sequenceId: `sequence ${which}`,
        enrolmentId,
        trigger: 'sign_up',
        triggeredAt: at,
        at,
      } as const;
      await handle(ctx, sequenceMailsDecider, stream, enrol);
      const next = { mailId: `mail of ${enrolmentId}`, templateId: 'template', stepNumber: 1, dueAt: at };
      await handle(ctx, sequenceMailsDecider, stream, { type: 'ScheduleNext', enrolmentId, after: 0, next, at });
    },
    'forget delivery': async () => deliveryId !== '' && (await forgetDelivery(ctx, { deliveryId, endpointId })),
    'send mail': async () => {
      if (!mail) return;
      const { state } = await handle(ctx, mailDecider, mailStream(mail.mailId), {
        type: 'PrepareMail',
        ...facts,
        unsubscribeHash: null,
      } as const);
      await handle(ctx, mailDecider, mailStream(mail.mailId), {
        type: 'MarkMailSent',
        ...facts,
        attempt: state.attempt,
      });
    },
    'drop mail': async () =>
      mail &&
      (await handle(ctx, mailDecider, mailStream(mail.mailId), { type: 'DropMail', ...facts, reason: 'not_wanted' })),
    'delete account': () => deleteAccount(ctx, { userId }),
  };
  await orCrash(acts[act]()).catch((error: unknown) => {
    // Refused in this state.
    if (!(error instanceof DomainError)) throw error;
  });
  made.pass(1);
}

type Queued = { readonly endpointId: string; readonly deliveryId: string };

/** Everything that erases, in log order; may crash on the way. */
async function erase({ made }: World, dies: number | null): Promise<void> {
  const store = dies === null ? made.store : crashingStore(made.store, dies, dies % 2 === 0 ? 'before' : 'after');
  const context = () => made.context(undefined, store);
  const asOf = asOfIf(true);
  const deliveriesOf = async (endpointId: string) =>
    (await made.log()).flatMap(({ type, data }) =>
      type === 'WebhookQueued' && (data as Queued).endpointId === endpointId ? [(data as Queued).deliveryId] : [],
    );
  for (const follower of [
    createDeletedJobs({ context }),
    createDeletedAccounts({ context, owned: ownedOf(made), asOf, mailer: null, snapshots: NOTHING_KEPT }),
    createRemovedWebhooks({ context, asOf, deliveriesOf }),
    createTruncations({ store }),
  ]) {
    await orCrash(followLog(store, follower));
  }
}

describe('erasure', () => {
  it('leaves the same items pending as the full log, whatever was done and wherever it crashed', async () => {
    const kinds = new Set<string>();
    let erased = 0;
    const history = fc.array(step, { minLength: 5, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(history, fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 60 })), async (steps, dies) => {
        const { store, whole } = recording(memoryEventStore());
        const made = await withAdmin(product(store));
        const users = [
          await userOf(made, 'user0@example.com'),
          await userOf(made, 'user1@example.com'),
          await userOf(made, 'user2@example.com'),
        ];
        const world = { made, whole, users };
        for (const one of steps) {
          await perform(world, one);
          expect(pendingIn(await made.log())).toEqual(pendingIn(whole));
        }
        await erase(world, dies);
        expect(pendingIn(await made.log())).toEqual(pendingIn(whole));
        await erase(world, null);
        const left = await made.log();
        const pending = pendingIn(left);
        expect(pending).toEqual(pendingIn(whole));
        for (const item of pending) kinds.add(item.split('/')[0] ?? '');
        if (left.length < whole.length) erased += 1;
        await store.close();
      }),
      { seed: SEED, numRuns: RUNS },
    );
    // The walk covered something.
    expect([...kinds].sort()).toEqual(['audit', 'mail', 'sequenceMail', 'webhook']);
    expect(erased).toBeGreaterThan(RUNS / 3);
  }, 120_000);

  it('of an account leaves nothing of it pending', async () => {
    const { store, whole } = recording(memoryEventStore());
    const made = await withAdmin(product(store));
    const [userId = ''] = [await userOf(made)];
    const world = { made, whole, users: [userId] };
    for (const [which, act] of (
      [
        'submit',
        'submit batch',
        'add webhook',
        'complete job',
        'send',
        'failing',
        'change password',
        'turn second factor',
        'change address',
      ] as const
    ).entries()) {
      await perform(world, {
        act,
        who: 0,
        which: act === 'complete job' || act === 'turn second factor' ? 0 : which,
        dies: null,
      });
    }
    expect(pendingIn(whole).length).toBeGreaterThan(6);
    await deleteAccount(made.context(), { userId });
    await erase(world, null);
    expect(pendingIn(whole)).toEqual([]);
    expect(pendingIn(await made.log())).toEqual([]);
    await store.close();
  });
});
