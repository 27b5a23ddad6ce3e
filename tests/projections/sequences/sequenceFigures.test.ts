/** The figures of a sequence against a plain count over its events, whatever happens to its templates. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SequenceEvent, SequenceMailsEvent } from '../../../src/domain/sequence/events.ts';
import { sequenceFigures } from '../../../src/projections/sequences/sequenceFigures.ts';
import { sequenceRecipients } from '../../../src/projections/sequences/sequenceRecipients.ts';
import {
  getSequence,
  type SequenceDocument,
  sequences,
  templatesOf,
} from '../../../src/projections/sequences/sequences.ts';
import type { ReadModels } from '../../../src/readModels/readModels.ts';
import { runs } from '../../given/fullForm.ts';
import { template } from '../../given/sequences.ts';
import { project } from '../../given/stores/projection.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';

const at = '2026-03-10T12:00:00.000Z';
const sequenceId = 's';
type Any = SequenceEvent | SequenceMailsEvent;
const MODELS = [sequences, sequenceRecipients] as const;
const ACTS = [
  'add',
  'rename',
  'reorder',
  'remove',
  'enrol',
  'schedule',
  'send',
  'fail',
  'skip',
  'turnOff',
  'sendLate',
  'close',
] as const;
type Act = readonly [(typeof ACTS)[number], number];
/** Each on the first thing that it fits. */
const firstEach = (...acts: Act[0][]): readonly Act[] => acts.map((act) => [act, 0] as const);

type Mail = {
  readonly mailId: string;
  readonly userId: string;
  readonly templateId: string;
  readonly stepNumber: number;
};

/** What the acts write; those that do not apply write nothing. */
function historyOf(acts: readonly Act[]): readonly Any[] {
  const events: Any[] = [
    { type: 'SequenceCreated', data: { sequenceId, name: 'S', description: '', trigger: 'sign_up', createdAt: at } },
  ];
  let made = 0;
  let templates: { readonly templateId: string; readonly stepNumber: number }[] = [];
  const open = new Set<string>();
  const pending = new Map<string, Mail>();
  const inTransit = new Map<string, Mail>();
  const of = (userId: string) => ({ userId, sequenceId, enrolmentId: `of ${userId}` });
  const pick = <Each>(all: Iterable<Each>, nth: number): Each | undefined =>
    [...all].at(nth % Math.max(1, [...all].length));
  const step = (mail: Mail) => ({ ...of(mail.userId), ...mail });
  const change = (nth: number, more: { readonly name?: string; readonly stepNumber?: number }): void => {
    const old = pick(templates, nth);
    if (!old) return;
    const next = template(more.stepNumber ?? old.stepNumber, { templateId: old.templateId, ...more });
    templates = templates.map((each) => (each === old ? next : each));
    events.push({ type: 'SequenceTemplateChanged', data: { sequenceId, ...next, changedAt: at } });
  };
  const settle = (nth: number, event: (mail: Mail) => Any): void => {
    const mail = pick(pending.values(), nth);
    if (!mail) return;
    pending.delete(mail.userId);
    events.push(event(mail));
  };
  const run: Record<Act[0], (nth: number) => void> = {
    add: () => {
      made += 1;
      const added = template(made, { templateId: `t${made}` });
      templates.push(added);
      events.push({ type: 'SequenceTemplateAdded', data: { sequenceId, ...added, addedAt: at } });
    },
    rename: (nth) => change(nth, { name: `Renamed ${events.length}` }),
    reorder: (nth) => change(nth, { stepNumber: 100 + events.length }),
    remove: (nth) => {
      const old = pick(templates, nth);
      templates = templates.filter((each) => each !== old);
      if (old)
        events.push({
          type: 'SequenceTemplateRemoved',
          data: { sequenceId, templateId: old.templateId, removedAt: at },
        });
    },
    enrol: () => {
      made += 1;
      open.add(`u${made}`);
      events.push({
        type: 'SequenceEnrolled',
        data: { ...of(`u${made}`), trigger: 'sign_up', triggeredAt: at, enrolledAt: at },
      });
    },
    schedule: (nth) => {
      const [userId, next] = [pick(open, nth), pick(templates, nth)];
      if (userId === undefined || !next || pending.has(userId)) return;
      made += 1;
      const mail = { mailId: `m${made}`, userId, templateId: next.templateId, stepNumber: next.stepNumber };
      pending.set(userId, mail);
      events.push({ type: 'SequenceMailScheduled', data: { ...step(mail), dueAt: at, scheduledAt: at } });
    },
    send: (nth) => settle(nth, (mail) => ({ type: 'SequenceMailSent', data: { ...step(mail), sentAt: at } })),
    fail: (nth) =>
      settle(nth, (mail) => ({ type: 'SequenceMailFailed', data: { ...step(mail), reason: 'too_old', failedAt: at } })),
    skip: (nth) => settle(nth, (mail) => ({ type: 'SequenceMailSkipped', data: { ...step(mail), skippedAt: at } })),
    turnOff: (nth) => {
      const userId = pick(open, nth);
      if (userId === undefined) return;
      const mail = pending.get(userId);
      if (mail) inTransit.set(userId, mail);
      pending.delete(userId);
      open.delete(userId);
      events.push({
        type: 'SequenceStopped',
        data: { ...of(userId), reason: 'turned_off', mailId: mail?.mailId ?? null, stepNumber: 0, stoppedAt: at },
      });
    },
    sendLate: (nth) => {
      const mail = pick(inTransit.values(), nth);
      if (!mail) return;
      inTransit.delete(mail.userId);
      events.push({ type: 'SequenceMailSent', data: { ...step(mail), sentAt: at } });
    },
    close: (nth) => {
      const userId = pick(open, nth);
      if (userId === undefined) return;
      open.delete(userId);
      pending.delete(userId);
      const mailIds = events.flatMap((event) =>
        event.type === 'SequenceMailScheduled' && event.data.userId === userId ? [event.data.mailId] : [],
      );
      events.push({
        type: 'SequenceMailsClosed',
        data: { userId, enrolmentIds: [of(userId).enrolmentId], mailIds, closedAt: at },
      });
    },
  };
  for (const [act, nth] of acts) run[act](nth);
  return events;
}

const STATUS = {
  SequenceMailScheduled: 'waiting',
  SequenceMailSent: 'sent',
  SequenceMailFailed: 'failed',
  SequenceMailSkipped: 'skipped',
} as const;

/** By template and column: `t1 sent` → 3. */
function counted(events: readonly Any[]): Readonly<Record<string, number>> {
  const closed = new Set(events.flatMap((event) => (event.type === 'SequenceMailsClosed' ? [event.data.userId] : [])));
  const mails = new Map<string, string>();
  const templates = new Map<string, string>();
  const last = new Map<string, string>();
  const left = new Set<string>();
  for (const { type, data } of events) {
    if (!('userId' in data) || closed.has(data.userId)) continue;
    if ('mailId' in data && 'templateId' in data && type in STATUS) {
      mails.set(data.mailId, STATUS[type as keyof typeof STATUS]);
      templates.set(data.mailId, data.templateId);
      if (type === 'SequenceMailSent') last.set(data.userId, data.templateId);
    }
    if (type !== 'SequenceStopped') continue;
    left.add(data.userId);
    if (data.mailId !== null) mails.set(data.mailId, 'stopped');
  }
  const counts: Record<string, number> = {};
  const add = (key: string): void => {
    counts[key] = (counts[key] ?? 0) + 1;
  };
  for (const [mailId, status] of mails) add(`${templates.get(mailId)} ${status}`);
  for (const userId of left) if (last.has(userId)) add(`${last.get(userId)} turnedOff`);
  return counts;
}

async function stored(events: readonly Any[]) {
  const readModels = memoryReadModels();
  const position = '00000000000000000001';
  for (const model of MODELS) {
    await readModels.prepare(model, 'v1');
    await readModels.serve(model.name, 'v1');
    const own = events.filter(({ type }) => (model.handles as readonly string[]).includes(type));
    const documents = project<object, Any>(model as Parameters<typeof project<object, Any>>[0], ...own);
    const writes = Object.entries(documents).map(([id, data]) => ({ id, position, data }));
    await readModels.commit([{ model: model.name, build: 'v1', checkpoint: position, writes }]);
  }
  return readModels;
}

async function sequenceIn(readModels: ReadModels): Promise<SequenceDocument> {
  const sequence = await getSequence(readModels, sequenceId);
  if (!sequence) throw new Error('There is no sequence.');
  return sequence.data;
}

describe('the figures of a sequence', () => {
  it('count every email once, by its template, also after that was deleted, renamed or moved', async () => {
    const acts = fc.array(fc.tuple(fc.constantFrom(...ACTS), fc.nat({ max: 50 })), { minLength: 20, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(acts, async (drawn) => {
        const events = historyOf([...firstEach('add', 'enrol', 'add', 'enrol'), ...drawn]);
        const readModels = await stored(events);
        const { steps, total } = await sequenceFigures(readModels, await sequenceIn(readModels));
        await readModels.close();
        const columns = ['waiting', 'sent', 'failed', 'skipped', 'stopped', 'turnedOff'] as const;
        const shown = steps.flatMap((step) =>
          columns.flatMap((column) => (step[column] === 0 ? [] : [[`${step.templateId} ${column}`, step[column]]])),
        );
        const expected = counted(events);
        expect(Object.fromEntries(shown)).toEqual(expected);
        for (const column of columns) {
          const all = Object.entries(expected).filter(([key]) => key.endsWith(` ${column}`));
          expect(total[column]).toBe(all.reduce((sum, [, count]) => sum + count, 0));
        }
      }),
      { numRuns: runs(60), seed: 7 },
    );
  });

  it('name a deleted template by its last name, after the others, and only where it has figures', async () => {
    const events = historyOf(firstEach('add', 'add', 'add', 'enrol', 'schedule', 'send', 'rename', 'remove', 'remove'));
    const readModels = await stored(events);
    const sequence = await sequenceIn(readModels);
    const { steps } = await sequenceFigures(readModels, sequence);
    expect(steps.map(({ templateId, name, isDeleted, sent }) => [templateId, name, isDeleted, sent])).toEqual([
      ['t3', 'Step 3', false, 0],
      ['t1', 'Renamed 7', true, 1],
    ]);
    expect(templatesOf(sequence).map(({ templateId }) => templateId)).toEqual(['t3']);
    await readModels.close();
  });

  it('are gone with their sequence, those of deleted templates, too', () => {
    const events = historyOf(firstEach('add', 'add', 'remove'));
    const deleted: SequenceEvent = {
      type: 'SequenceDeleted',
      data: { sequenceId, templateIds: ['t2'], deletedAt: at },
    };
    expect(project<object, Any>(sequences as Parameters<typeof project<object, Any>>[0], ...events, deleted)).toEqual(
      {},
    );
  });
});
