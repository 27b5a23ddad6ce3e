/** The pending work according to the log, folded with an independent table, to compare with the list of items. */
import { mailOf } from '../../../src/commands/mail/mailOf.ts';
import type { WorkItem } from '../../../src/work/kind.ts';
import type { WorkEvent, WorkView } from './workLog.ts';

export type Kind =
  | 'audit'
  | 'mail'
  | 'webhook'
  | 'rework'
  | 'providerEvent'
  | 'followUp'
  | 'sequenceMail'
  | 'promptTrial'
  | 'accountExport';

export type Step =
  | { readonly step: 'pending'; readonly kind: Kind; readonly id: string; readonly lane: string }
  | { readonly step: 'put off'; readonly kind: Kind; readonly id: string; readonly until: number }
  | { readonly step: 'over'; readonly kind: Kind; readonly id: string };

export type Pending = {
  readonly kind: Kind;
  readonly id: string;
  readonly lane: string;
  readonly opening: string;
  readonly dueAt: number;
};

const JOB_ENDS = new Set([
  'JobCompleted',
  'JobPartiallyCompleted',
  'JobPartiallySucceeded',
  'JobCancelled',
  'JobFailed',
]);
const TOLD_BY_MAIL = new Set([
  'PasswordResetAsked',
  'LogInMailAsked',
  'PasskeyAdded',
  'PasskeyRemoved',
  'IdentityLinked',
  'IdentityUnlinked',
  'AccountEmailConfirmationAsked',
  'AccountPasswordChanged',
  'AccountEmailChanged',
  'SecondFactorEnabled',
  'SecondFactorRemoved',
  'WebhookDisabled',
  'FundsAdded',
  'SubscriptionStarted',
  'SubscriptionChanged',
  'SubscriptionRenewed',
  'SubscriptionPaymentFailed',
  'SubscriptionCancelScheduled',
  'SubscriptionEnded',
  'SequenceTestAsked',
  ...JOB_ENDS,
]);

const text = (value: unknown): string => String(value);

/** The effect of an event on pending work. */
export function stepsOf(event: WorkEvent): readonly Step[] {
  const { type, data } = event;
  const steps: Step[] = [];
  if (JOB_ENDS.has(type) || type === 'JobDeleted') steps.push({ step: 'over', kind: 'audit', id: text(data.jobId) });
  const mail = TOLD_BY_MAIL.has(type) ? mailOf(event) : null;
  if (mail)
    steps.push({
      step: 'pending',
      kind: 'mail',
      id: mail.mailId,
      lane: text(data.userId ?? data.jobId ?? mail.mailId),
    });
  const delivery = { kind: 'webhook', id: text(data.deliveryId) } as const;
  const rework = { kind: 'rework', id: text(data.reworkId) } as const;
  const trial = { kind: 'promptTrial', id: text(data.jobId) } as const;
  const accountExport = { kind: 'accountExport', id: text(data.userId) } as const;
  const sequenceMail = { kind: 'sequenceMail', id: text(data.mailId) } as const;
  const followUp = { kind: 'followUp', id: text(data.followUpId) } as const;
  switch (type) {
    case 'JobSubmitted':
      return [{ step: 'pending', kind: 'audit', id: text(data.jobId), lane: text(data.userId) }];
    case 'JobQueued':
      return data.slowSite
        ? [{ step: 'put off', kind: 'audit', id: text(data.jobId), until: Date.parse(text(data.queuedAt)) }]
        : [];
    case 'MailSent':
    case 'MailDropped':
      return [{ step: 'over', kind: 'mail', id: text(data.mailId) }];
    case 'MailRequeued':
      return [{ step: 'pending', kind: 'mail', id: text(data.mailId), lane: text(data.userId) }];
    case 'WebhookQueued':
    case 'WebhookRequeued':
      return [{ ...delivery, step: 'pending', lane: text(data.userId ?? data.endpointId) }];
    case 'WebhookTried':
      return [
        data.nextTryAt === null
          ? { ...delivery, step: 'over' }
          : { ...delivery, step: 'put off', until: Date.parse(text(data.nextTryAt)) },
      ];
    case 'WebhookForgotten':
      return [{ ...delivery, step: 'over' }];
    case 'PlanRegenerationAsked':
    case 'SummaryAsked':
    case 'VerificationAsked':
      return [{ ...rework, step: 'pending', lane: text(data.userId) }];
    case 'ReworkDone':
    case 'ReworkGivenUp':
      return [{ ...rework, step: 'over' }];
    case 'PromptTrialAsked':
      return [{ ...trial, step: 'pending', lane: text(data.adminId) }];
    case 'PromptTrialAnswered':
    case 'PromptTrialGivenUp':
    case 'PromptTrialForgotten':
      return [{ ...trial, step: 'over' }];
    case 'AccountExportRequested':
      return [{ ...accountExport, step: 'pending', lane: text(data.userId) }];
    case 'AccountExportReady':
    case 'AccountExportFailed':
    case 'AccountExportRemoved':
      return [{ ...accountExport, step: 'over' }];
    case 'ProviderEventReceived':
    case 'ProviderEventRequeued':
      return [{ step: 'pending', kind: 'providerEvent', id: text(data.eventId), lane: 'stripe' }];
    case 'ProviderEventApplied':
    case 'ProviderEventIgnored':
      return [{ step: 'over', kind: 'providerEvent', id: text(data.eventId) }];
    case 'SequenceMailScheduled':
      return [
        { ...sequenceMail, step: 'pending', lane: text(data.userId) },
        { ...sequenceMail, step: 'put off', until: Date.parse(text(data.dueAt)) },
      ];
    case 'SequenceMailRequeued':
      return [{ ...sequenceMail, step: 'pending', lane: text(data.userId) }];
    case 'SequenceMailPutOff':
      return [{ ...sequenceMail, step: 'put off', until: Date.parse(text(data.dueAt)) }];
    case 'SequenceMailSent':
    case 'SequenceMailFailed':
    case 'SequenceMailSkipped':
      return [{ ...sequenceMail, step: 'over' }];
    case 'SequenceStopped':
      return data.mailId === null ? [] : [{ ...sequenceMail, step: 'over' }];
    case 'FollowUpSetAside':
    case 'FollowUpRequeued':
      return [{ ...followUp, step: 'pending', lane: text(data.follower) }];
    case 'FollowUpDone':
    case 'FollowUpDropped':
      return [{ ...followUp, step: 'over' }];
    default:
      return steps;
  }
}

export function foldPending(log: readonly WorkEvent[]): ReadonlyMap<string, Pending> {
  const pending = new Map<string, Pending>();
  for (const event of log) {
    for (const step of stepsOf(event)) {
      const key = `${step.kind}/${step.id}`;
      const known = pending.get(key);
      if (step.step === 'over') pending.delete(key);
      else if (step.step === 'pending')
        pending.set(key, { kind: step.kind, id: step.id, lane: step.lane, opening: event.position, dueAt: event.at });
      else if (known) pending.set(key, { ...known, dueAt: step.until });
    }
  }
  return pending;
}

/** Followers of a job's end are not items of work. */
export function reservationsEnded(log: readonly WorkEvent[]): boolean {
  const of = (type: string): number => log.filter((event) => event.type === type).length;
  return of('AnalysisReserved') <= of('AnalysisConsumed') + of('AnalysisReleased');
}

/**
 * The differences between the list and the fold. An item whose opener was erased after it was listed is unknown to the
 * log: it stays in the list until a worker closes it.
 */
export function listDifferences({ log, items }: WorkView): readonly string[] {
  const pending = foldPending(log);
  const there = new Set(log.map(({ stream, revision }) => `${stream}@${revision}`));
  const listed = new Map(items.map((item) => [`${item.kind}/${item.itemId}`, item]));
  const isErased = ({ opener }: WorkItem): boolean => !there.has(`${opener.stream}@${opener.revision}`);
  const differences: string[] = [];
  for (const [key, item] of listed) {
    const expected = pending.get(key);
    if (!expected) {
      if (!isErased(item)) differences.push(`${key} is listed, but the log has no such work pending`);
    } else if (
      expected.opening !== item.opening ||
      expected.lane !== item.lane ||
      expected.dueAt !== Date.parse(item.dueAt)
    )
      differences.push(
        `${key} is listed as opened at ${item.opening}, due at ${item.dueAt}; the log says ${expected.opening}, ${new Date(expected.dueAt).toISOString()}`,
      );
  }
  for (const key of pending.keys()) if (!listed.has(key)) differences.push(`${key} is pending, but not listed`);
  return differences;
}
