/** Outcome of emails by kind: sent, failed, or not sent and why. */
import type { MailDropReason, MailEvent, MailKind } from '../domain/mail/events.ts';
import type { SequenceMailFailure, SequenceMailsEvent } from '../domain/sequence/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { addTo, type DailySums, dailySums, mergeSums, sumsBy } from './dailySums.ts';
import type { Report, ReportParams } from './report.ts';

type Fields = 'sent' | 'failed' | 'dropped' | 'tries';
type State = { readonly mails: DailySums<'kind', Fields>; readonly reasons: DailySums<'kind' | 'reason', 'mails'> };
type MailsEvent = MailEvent | SequenceMailsEvent;

const TYPES = [
  'MailPrepared',
  'MailSent',
  'MailDropped',
  'SequenceMailStarted',
  'SequenceMailSent',
  'SequenceMailFailed',
  'SequenceMailSkipped',
] as readonly MailsEvent['type'][];

/** Reasons that count as failures; the others are expected. */
const FAILURES: readonly (MailDropReason | SequenceMailFailure)[] = ['refused', 'no_mailer', 'too_old', 'given_up'];

/** Sequence emails are counted from the user's own stream, whose events say more. */
function evolve(state: State, event: Recorded<MailsEvent>): State {
  const { at } = event.metadata;
  const { mails } = state;
  switch (event.type) {
    case 'MailPrepared':
      if (event.data.kind !== 'sequence') addTo(mails, at, { kind: event.data.kind }, { tries: 1 });
      break;
    case 'MailSent':
      if (event.data.kind !== 'sequence') addTo(mails, at, { kind: event.data.kind }, { sent: 1 });
      break;
    case 'MailDropped':
      if (event.data.kind !== 'sequence') notSent(state, at, event.data.kind, event.data.reason);
      break;
    case 'SequenceMailStarted':
      addTo(mails, at, { kind: 'sequence' }, { tries: 1 });
      break;
    case 'SequenceMailSent':
      addTo(mails, at, { kind: 'sequence' }, { sent: 1 });
      break;
    case 'SequenceMailFailed':
      notSent(state, at, 'sequence', event.data.reason);
      break;
    case 'SequenceMailSkipped':
      notSent(state, at, 'sequence', 'template_off');
      break;
    default:
  }
  return state;
}

function notSent({ mails, reasons }: State, at: string, kind: MailKind, reason: keyof typeof MAIL_REASONS): void {
  const failed = FAILURES.some((failure) => failure === reason);
  addTo(mails, at, { kind }, failed ? { failed: 1 } : { dropped: 1 });
  addTo(reasons, at, { kind, reason }, { mails: 1 });
}

const KINDS: Readonly<Record<MailKind, string>> = {
  log_in: 'Log-in code and link',
  password_reset: 'Password reset',
  password_changed: 'Password changed',
  email_changed: 'Email address changed',
  email_confirmation: 'Confirmation of an address',
  job_done: 'Audit finished',
  webhook_off: 'Webhook switched off',
  second_factor: 'Two-factor authentication',
  way_in: 'Way to log in added or removed',
  receipt: 'Receipt',
  payment_failed: 'Payment failed',
  subscription_ends: 'Subscription ends',
  subscription_ended: 'Subscription ended',
  sequence: 'Email sequence',
};

/** Why an email was not sent. */
export const MAIL_REASONS: Readonly<Record<MailDropReason | SequenceMailFailure | 'template_off', string>> = {
  not_wanted: 'Unsubscribed',
  not_confirmed: 'Address not confirmed',
  gone: 'What it was about is gone',
  refused: 'No server takes it for that address',
  no_mailer: 'No mail server configured',
  nothing_to_tell: 'Nothing to tell',
  told_together: 'Covered by another email of the batch',
  too_old: 'Too late',
  given_up: 'Given up',
  template_off: 'Template switched off',
};

const RESULTS: readonly ReportColumn[] = [
  { key: 'sent', label: 'Sent', kind: 'count' },
  { key: 'failed', label: 'Failed', kind: 'count' },
  { key: 'dropped', label: 'Not sent on purpose', kind: 'count' },
  { key: 'tries', label: 'Tries', kind: 'count' },
  { key: 'share', label: 'Failed, of those to be sent', kind: 'share' },
];
const KIND: ReportColumn = { key: 'kind', label: 'Email', kind: 'text' };

function rowsOf({ mails }: State, params: ReportParams, groups: readonly ('step' | 'kind')[]): readonly ReportRow[] {
  return sumsBy(mails, params, groups).map((row) => ({
    ...named(row),
    share: row.sent + row.failed === 0 ? null : row.failed / (row.sent + row.failed),
  }));
}

const named = (row: ReportRow): ReportRow =>
  row.kind === undefined ? row : { ...row, kind: KINDS[row.kind as MailKind] };

function tables(state: State, params: ReportParams): readonly ReportTable[] {
  return [
    {
      name: 'over-time',
      title: 'Emails over time',
      columns: [{ key: 'step', label: 'From', kind: 'date' }, ...RESULTS],
      rows: rowsOf(state, params, ['step']),
      chart: { kind: 'bar', x: 'step', series: ['sent', 'failed'] },
    },
    { name: 'by-kind', title: 'Emails by kind', columns: [KIND, ...RESULTS], rows: rowsOf(state, params, ['kind']) },
    {
      name: 'reasons',
      title: 'Why emails were not sent',
      columns: [
        KIND,
        { key: 'reason', label: 'Reason', kind: 'text' },
        { key: 'mails', label: 'Emails', kind: 'count' },
      ],
      rows: sumsBy(state.reasons, params, ['kind', 'reason']).map((row) => ({
        ...named(row),
        reason: MAIL_REASONS[(row as ReportRow).reason as keyof typeof MAIL_REASONS],
      })),
    },
  ];
}

export const mails: Report<State> = {
  name: 'mails',
  version: 1,
  lean: true,
  title: 'Emails',
  description: 'How many emails of each kind were sent, failed or were left out, and why.',
  types: TYPES,
  initial: () => ({
    mails: dailySums(['kind'], ['sent', 'failed', 'dropped', 'tries']),
    reasons: dailySums(['kind', 'reason'], ['mails']),
  }),
  evolve: (state, event) => evolve(state, event as Recorded<MailsEvent>),
  merge: (one, other) => ({ mails: mergeSums(one.mails, other.mails), reasons: mergeSums(one.reasons, other.reasons) }),
  tables,
};
