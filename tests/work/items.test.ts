/** The list of pending work always says what the log says. */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadState } from '../../src/commands/handle.ts';
import { mailIdOf } from '../../src/commands/mail/mailOf.ts';
import { accountExportDecider } from '../../src/domain/accountExport/accountExport.ts';
import { exportsStream } from '../../src/domain/accountExport/events.ts';
import { EVENT_TYPES } from '../../src/domain/eventTypes.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { mailStream } from '../../src/domain/mail/events.ts';
import { mailDecider } from '../../src/domain/mail/mail.ts';
import { promptTrialStream } from '../../src/domain/promptTrial/events.ts';
import { promptTrialDecider } from '../../src/domain/promptTrial/promptTrial.ts';
import { providerEventStream } from '../../src/domain/providerEvent/events.ts';
import { providerEventDecider } from '../../src/domain/providerEvent/providerEvent.ts';
import { reworkStream } from '../../src/domain/rework/events.ts';
import { reworkDecider } from '../../src/domain/rework/rework.ts';
import { pendingMail } from '../../src/domain/sequence/enrolments.ts';
import { sequenceMailsStream } from '../../src/domain/sequence/events.ts';
import { sequenceMailsDecider } from '../../src/domain/sequence/mails.ts';
import { deliveryDecider } from '../../src/domain/webhooks/delivery.ts';
import { deliveryStream } from '../../src/domain/webhooks/events.ts';
import { followUpStream } from '../../src/domain/work/events.ts';
import { followUpDecider } from '../../src/domain/work/followUp.ts';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { applyBatch, openLane } from '../../src/projector/projectionLane.ts';
import { workItemsModel } from '../../src/work/items.ts';
import type { WorkItem } from '../../src/work/kind.ts';
import { ACCOUNT_EXPORT } from '../../src/work/kinds/accountExport.ts';
import { AUDIT } from '../../src/work/kinds/audit.ts';
import { FOLLOW_UP } from '../../src/work/kinds/followUp.ts';
import { MAIL, mailKind } from '../../src/work/kinds/mail.ts';
import { PROMPT_TRIAL } from '../../src/work/kinds/promptTrial.ts';
import { PROVIDER_EVENT } from '../../src/work/kinds/providerEvent.ts';
import { REWORK } from '../../src/work/kinds/rework.ts';
import { SEQUENCE_MAIL } from '../../src/work/kinds/sequenceMail.ts';
import { WEBHOOK } from '../../src/work/kinds/webhook.ts';
import { readOpener } from '../../src/work/opener.ts';
import { WORK_RULES } from '../../src/work/rules.ts';
import { FULL } from '../given/fullForm.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';
import { deliveryDeps } from '../given/work/mailDelivery.ts';
import { type History, live, type Steps, steps } from '../given/work/workHistory.ts';

/** With it, the short form has every opening and every closing, too. */
const SEED = 20261133;
const MODEL = workItemsModel(WORK_RULES);
const handled = (log: readonly RecordedEvent[]) =>
  log.filter(({ type }) => (MODEL.handles as readonly string[]).includes(type));

type Pending = Pick<WorkItem, 'kind' | 'itemId' | 'lane' | 'opening' | 'openedAt' | 'dueAt'> & {
  readonly openedBy: string;
};

/** The changes of one more event in pending work, by the rules' table alone. */
function step(pending: Map<string, Pending>, event: RecordedEvent): void {
  const { type, position: opening, metadata } = event;
  const { kind, itemId } = event.data as { readonly kind: string; readonly itemId: string };
  const asked = type === 'WorkRetryAsked' ? pending.get(`${kind} ${itemId}`) : undefined;
  if (asked) pending.set(`${kind} ${itemId}`, { ...asked, opening, dueAt: metadata.at });
  for (const rule of WORK_RULES) {
    const opens = rule.opens[type]?.(event);
    const common = { kind: rule.kind, opening, openedAt: metadata.at, openedBy: type };
    if (opens)
      pending.set(`${rule.kind} ${opens.itemId}`, {
        ...common,
        itemId: opens.itemId,
        lane: opens.lane,
        dueAt: opens.dueAt ?? metadata.at,
      });
    pending.delete(`${rule.kind} ${rule.closes[type]?.(event)}`);
    const defers = rule.defers?.[type]?.(event);
    const deferred = pending.get(`${rule.kind} ${defers?.itemId}`);
    if (defers && deferred) pending.set(`${rule.kind} ${defers.itemId}`, { ...deferred, dueAt: defers.dueAt });
  }
}

/**
 * The list as the projection builds it, a number of events at a time; with its content after each batch, where
 * requested.
 */
async function built(
  log: readonly RecordedEvent[],
  size: number,
  after: (items: readonly WorkItem[], events: number) => void = () => undefined,
) {
  const readModels = memoryReadModels();
  try {
    const lane = await openLane(readModels, MODEL, 'v1');
    await readModels.serve(MODEL.name, 'v1');
    const list = async () =>
      Object.values(await documentsOf(readModels, MODEL.name)) as unknown as readonly (WorkItem & {
        readonly position: string;
      })[];
    for (let next = 0; next < log.length; next += size) {
      const events = log.slice(next, next + size);
      await applyBatch(
        readModels,
        [lane],
        { events, upTo: events.at(-1)?.position ?? '' },
        () => '2026-01-01T00:00:00.000Z',
      );
      after(await list(), next + events.length);
    }
    expect(await readModels.parked()).toEqual([]);
    return await list();
  } finally {
    await readModels.close();
  }
}

const named = (items: readonly Pick<WorkItem, 'kind' | 'itemId'>[]): string[] =>
  items.map(({ kind, itemId }) => `${kind} ${itemId}`).sort();
const plain = ({ kind, itemId, lane, opening, openedAt, dueAt, opener }: WorkItem): Pending => {
  return { kind, itemId, lane, opening, openedAt, dueAt, openedBy: opener.type };
};

/** Pending work according to the subjects' own streams. */
async function pendingByStreams({
  made,
  log,
  userIds,
  jobs,
  deliveries,
  reworks,
  providerEvents,
  followUps,
  sequenceMails,
}: History): Promise<string[]> {
  const pending: string[] = [];
  for (const { id } of jobs) {
    const { status } = (await loadState(made.store, jobDecider, jobStream(id))).state;
    if (status === 'submitted' || status === 'queued' || status === 'running') pending.push(`${AUDIT} ${id}`);
  }
  for (const { id } of deliveries) {
    if ((await loadState(made.store, deliveryDecider, deliveryStream(id))).state.status === 'waiting')
      pending.push(`${WEBHOOK} ${id}`);
  }
  for (const id of new Set(reworks)) {
    if ((await loadState(made.store, reworkDecider, reworkStream(id))).state.status === 'open')
      pending.push(`${REWORK} ${id}`);
  }
  for (const { id } of jobs) {
    if ((await loadState(made.store, promptTrialDecider, promptTrialStream(id))).state.status === 'open')
      pending.push(`${PROMPT_TRIAL} ${id}`);
  }
  for (const id of userIds) {
    if ((await loadState(made.store, accountExportDecider, exportsStream(id))).state.status === 'pending')
      pending.push(`${ACCOUNT_EXPORT} ${id}`);
  }
  for (const id of new Set(providerEvents)) {
    if ((await loadState(made.store, providerEventDecider, providerEventStream(id))).state.status === 'received')
      pending.push(`${PROVIDER_EVENT} ${id}`);
  }
  for (const id of new Set(followUps)) {
    if ((await loadState(made.store, followUpDecider, followUpStream(id))).state.status === 'open')
      pending.push(`${FOLLOW_UP} ${id}`);
  }
  for (const [id, userId] of new Map(sequenceMails.map((mail) => [mail.id, mail.userId]))) {
    if (pendingMail((await loadState(made.store, sequenceMailsDecider, sequenceMailsStream(userId))).state, id))
      pending.push(`${SEQUENCE_MAIL} ${id}`);
  }
  for (const mailId of new Set(log.flatMap((event) => mailIdOf(event) ?? []))) {
    if ((await loadState(made.store, mailDecider, mailStream(mailId))).state.status !== 'settled')
      pending.push(`${MAIL} ${mailId}`);
  }
  return pending.sort();
}

/** What few of the random histories have: emails about each way to log in, and about another plan, all of them dropped. */
const RARE: Steps = [
  ['secondFactor', 0, 0],
  ['secondFactor', 1, 1],
  ['secondFactor', 0, 2],
  ['subscribe', 0, 0],
  ['upgrade', 0, 0],
  ...Array.from({ length: 20 }, () => ['dropMail', 0, 0] as const),
];

describe('the list of pending work', () => {
  it(`equals the rules and the streams after every event, and the earlier list when rebuilt (seed ${SEED})`, async () => {
    const [closedOpeners, closers] = [new Set<string>(), new Set<string>()];
    let orphans = 0;
    /** Records which items the event has closed. */
    const walk = (pending: Map<string, Pending>, event: RecordedEvent): void => {
      const before = new Map(pending);
      step(pending, event);
      for (const [key, { openedBy }] of before) {
        if (pending.has(key)) continue;
        closedOpeners.add(openedBy);
        closers.add(event.type);
      }
    };
    await fc.assert(
      fc.asyncProperty(steps, async (todo) => {
        const history = await live(todo);
        const { made } = history;
        const log = handled(history.log);
        const pending = new Map<string, Pending>();
        const items = await built(log, 1, (listed, events) => {
          walk(pending, log[events - 1] as RecordedEvent);
          expect(new Map(listed.map((item) => [`${item.kind} ${item.itemId}`, plain(item)]))).toEqual(pending);
        });
        expect(named(items)).toEqual(await pendingByStreams(history));
        expect(await built(log, log.length || 1)).toEqual(items);

        // From the rest of the log only items without an opener are missing, which their worker closes.
        const left = await built(handled(await made.log()), 50);
        const gone: WorkItem[] = [];
        for (const item of items) if ((await readOpener(made.store, item)) === null) gone.push(item);
        expect(left).toEqual(items.filter((item) => !gone.includes(item)));
        for (const { kind } of gone) expect(kind).toBe(MAIL);
        orphans += gone.length;
        const mails = mailKind({ ...deliveryDeps(made, null), log: { info: () => undefined } }, { random: () => 0.5 });
        for (const item of gone)
          await mails.perform(
            item,
            { held: () => true, attempts: 0, isSlotWanted: async () => false },
            new AbortController().signal,
          );
        const now = handled(await made.log());
        const since = now.filter(({ position }) => position > (history.log.at(-1)?.position ?? ''));
        expect(await built([...log, ...since], 50)).toEqual(left);
        expect(await built(now, 50)).toEqual(left);
        // Nor does a latecomer miss the outcome of an event.
        const seen = handled(history.seen);
        const pendingAtEnd = new Map<string, Pending>();
        for (const event of seen) walk(pendingAtEnd, event);
        expect(await built([...seen, ...since], 50)).toEqual(left);
        await made.store.close();
      }),
      { numRuns: FULL ? 180 : 90, seed: SEED, examples: [[RARE]] },
    );
    // Nothing was left out: every opening has a closing, and every closing is written.
    expect([...closedOpeners].sort()).toEqual(
      [...new Set(WORK_RULES.flatMap(({ opens }) => Object.keys(opens)))].sort(),
    );
    expect([...closers].sort()).toEqual([...new Set(WORK_RULES.flatMap(({ closes }) => Object.keys(closes)))].sort());
    expect(orphans).toBeGreaterThan(0);
  }, 240_000);

  it('names only existing event types as openers, closers and deferrers of each kind', () => {
    for (const { kind, opens, closes, defers = {} } of WORK_RULES) {
      expect(Object.keys(opens), kind).not.toEqual([]);
      expect(Object.keys(closes), kind).not.toEqual([]);
      for (const type of [opens, closes, defers].flatMap(Object.keys)) expect(EVENT_TYPES).toContain(type);
    }
    expect(new Set(WORK_RULES.map(({ kind }) => kind)).size).toBe(WORK_RULES.length);
    expect(() => workItemsModel([...WORK_RULES, WORK_RULES[0] as (typeof WORK_RULES)[number]])).toThrow(
      'the same name',
    );
  });

  it('has emails of an old log, whose job ends do not name the owner', () => {
    const event = { id: randomUUID(), type: 'JobCompleted', data: { jobId: 'job-1' } } as unknown as RecordedEvent;
    const mail = WORK_RULES.find(({ kind }) => kind === MAIL);
    expect(mail?.opens.JobCompleted?.(event)).toEqual({ itemId: mailIdOf(event), lane: 'job-1' });
  });
});
