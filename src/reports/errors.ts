/**
 * What went wrong in the background: work that failed, was retried, was given up or set aside, and retries requested by
 * operators.
 */
import type { JobEvent } from '../domain/job/events.ts';
import type { MailEvent } from '../domain/mail/events.ts';
import type { ProviderEventEvent } from '../domain/providerEvent/events.ts';
import type { ReworkEvent } from '../domain/rework/events.ts';
import type { SequenceMailsEvent } from '../domain/sequence/events.ts';
import type { WebhookDeliveryEvent } from '../domain/webhooks/events.ts';
import type { FollowUpEvent, ParkedEvent, WorkEvent } from '../domain/work/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { addTo, type DailySums, dailySums, mergeSums, sumsBy } from './dailySums.ts';
import { failureWords } from './failureWords.ts';
import { MAIL_REASONS } from './mails.ts';
import type { Report, ReportParams } from './report.ts';

type Trouble = 'failed' | 'retried' | 'givenUp' | 'setAside' | 'asked';
type State = DailySums<'trouble' | 'what' | 'why', 'times'>;

type ErrorsEvent =
  | JobEvent
  | MailEvent
  | SequenceMailsEvent
  | WebhookDeliveryEvent
  | ReworkEvent
  | ProviderEventEvent
  | FollowUpEvent
  | WorkEvent
  | ParkedEvent;

const TYPES = [
  'JobStarted',
  'JobFailed',
  'JobPartiallyCompleted',
  'JobPartiallySucceeded',
  'MailPrepared',
  'MailDropped',
  'SequenceMailFailed',
  'WebhookTried',
  'ReworkStarted',
  'ReworkGivenUp',
  'ProviderEventIgnored',
  'FollowUpSetAside',
  'FollowUpDropped',
  'WorkRetryAsked',
  'ParkedRetryAsked',
  'ProviderEventRequeued',
  'FollowUpRequeued',
  'SequenceMailRequeued',
] as readonly ErrorsEvent['type'][];

type Entry = readonly [trouble: Trouble, what: string, why?: string];

const SEQUENCE_EMAIL = 'Email of a sequence';

const MODEL_FAILED: Entry = ['failed', 'Audit, in part', 'The language model failed'];

/** None if nothing went wrong; an audit can be partial for several causes. */
function entriesOf(event: ErrorsEvent): readonly Entry[] {
  const entry = entryOf(event);
  const also = event.type === 'JobPartiallyCompleted' && event.data.modelFailed ? [MODEL_FAILED] : [];
  return entry === null ? also : [entry, ...also];
}

function entryOf(event: ErrorsEvent): Entry | null {
  switch (event.type) {
    case 'JobStarted':
      return event.data.attempt > 1 && !event.data.afterSlowSite ? ['retried', 'Audit'] : null;
    case 'JobFailed':
      return ['failed', 'Audit', event.data.code];
    case 'JobPartiallyCompleted':
      return ['failed', 'Audit, in part', 'A budget ran out'];
    case 'JobPartiallySucceeded':
      return MODEL_FAILED;
    case 'MailPrepared':
      return (event.data.attempt ?? 1) > 1
        ? ['retried', event.data.kind === 'sequence' ? SEQUENCE_EMAIL : 'Email']
        : null;
    case 'MailDropped':
      // Sequence emails are reported from the user's own stream.
      return isFailure(event.data.reason) && event.data.kind !== 'sequence'
        ? ['givenUp', 'Email', MAIL_REASONS[event.data.reason]]
        : null;
    case 'SequenceMailFailed':
      return ['givenUp', SEQUENCE_EMAIL, MAIL_REASONS[event.data.reason]];
    case 'SequenceMailRequeued':
      return ['asked', 'Work: sequenceMail'];
    case 'WebhookTried':
      return triedWebhook(event.data);
    case 'ReworkStarted':
      return event.data.attempt > event.data.ask ? ['retried', 'Rework'] : null;
    case 'ReworkGivenUp':
      return ['givenUp', 'Rework', event.data.code];
    default:
      return entryOfOperation(event);
  }
}

function entryOfOperation(event: ErrorsEvent): Entry | null {
  switch (event.type) {
    case 'ProviderEventIgnored':
      return event.data.reason === 'given_up' ? ['givenUp', 'Event of the payment provider', 'given_up'] : null;
    case 'FollowUpSetAside':
      return ['setAside', `Follower ${event.data.follower}`, event.data.error];
    case 'FollowUpDropped':
      return ['givenUp', 'Event set aside', event.data.reason];
    case 'ProviderEventRequeued':
      return ['asked', 'Work: providerEvent'];
    case 'FollowUpRequeued':
      return ['asked', 'Work: followUp'];
    case 'WorkRetryAsked':
      return ['asked', `Work: ${event.data.kind}`];
    case 'ParkedRetryAsked':
      return ['asked', `Parked event: ${event.data.model}`];
    default:
      return null;
  }
}

const isFailure = (reason: string): boolean =>
  reason === 'refused' || reason === 'no_mailer' || reason === 'too_old' || reason === 'given_up';

function triedWebhook({
  ok,
  nextTryAt,
  status,
  error,
}: Extract<WebhookDeliveryEvent, { readonly type: 'WebhookTried' }>['data']): Entry | null {
  if (ok) return null;
  const why = status === null ? (error === null ? 'No answer' : 'Could not be reached') : `Answered ${status}`;
  return [nextTryAt === null ? 'givenUp' : 'retried', 'Webhook delivery', why];
}

function evolve(state: State, event: Recorded<ErrorsEvent>): State {
  for (const [trouble, what, why = ''] of entriesOf(event))
    addTo(state, event.metadata.at, { trouble, what, why }, { times: 1 });
  return state;
}

const TROUBLES: readonly (readonly [Trouble, string])[] = [
  ['failed', 'Failed'],
  ['retried', 'Tried again'],
  ['givenUp', 'Given up'],
  ['setAside', 'Set aside'],
  ['asked', 'Retry asked for'],
];

const STEP: ReportColumn = { key: 'step', label: 'From', kind: 'date' };

function overTime(state: State, params: ReportParams): readonly ReportRow[] {
  const steps = new Map<string, Record<string, string | number>>();
  for (const row of sumsBy(state, params, ['step', 'trouble'])) {
    const { step, trouble } = row as ReportRow;
    const all = steps.get(String(step)) ?? {
      step: String(step),
      ...Object.fromEntries(TROUBLES.map(([name]) => [name, 0])),
    };
    steps.set(String(step), { ...all, [String(trouble)]: row.times });
  }
  return [...steps.values()];
}

function listed(
  name: string,
  title: string,
  state: State,
  params: ReportParams,
  troubles: readonly Trouble[],
): ReportTable {
  const rows = sumsBy(state, params, ['trouble', 'what', 'why'])
    .filter((row) => troubles.some((trouble) => trouble === (row as ReportRow).trouble))
    .map((row) => ({ ...row, words: failureWords(String((row as ReportRow).why)) }));
  return {
    name,
    title,
    columns: [
      { key: 'what', label: 'What', kind: 'text' },
      { key: 'why', label: 'Why', kind: 'text' },
      { key: 'words', label: 'In words', kind: 'text' },
      { key: 'times', label: 'Times', kind: 'count' },
    ],
    rows: rows.toSorted((one, other) => other.times - one.times),
  };
}

function tables(state: State, params: ReportParams): readonly ReportTable[] {
  return [
    {
      name: 'over-time',
      title: 'Errors over time',
      columns: [STEP, ...TROUBLES.map(([key, label]): ReportColumn => ({ key, label, kind: 'count' }))],
      rows: overTime(state, params),
      note: 'Failures of audits of deleted accounts are left out, those of webhook deliveries after 30 days. Events that a read model could not take are listed on the page of the system; here are the retries that were asked for.',
      chart: { kind: 'bar', x: 'step', series: ['failed', 'givenUp'] },
    },
    listed('failed', 'What failed', state, params, ['failed']),
    listed('retries', 'What was tried again', state, params, ['retried', 'asked']),
    listed('given-up', 'What was given up or set aside', state, params, ['givenUp', 'setAside']),
  ];
}

export const errors: Report<State> = {
  name: 'errors',
  version: 2,
  lean: true,
  title: 'Errors',
  description: 'Which audits failed and why, what was tried again, and which work was given up or set aside.',
  types: TYPES,
  initial: () => dailySums(['trouble', 'what', 'why'], ['times']),
  evolve: (state, event) => evolve(state, event as Recorded<ErrorsEvent>),
  merge: mergeSums,
  tables,
};
