/** The kinds of streams: their naming and the events they hold. A name is the kind, a hyphen, and its subject. */
import { ACCOUNT_TYPES, EMAIL_TYPES, INSTALLATION_TYPES, SESSION_TYPES } from '../account.ts';
import { ACCOUNT_EXPORT_TYPES, EXPORT_FILE_TYPES } from '../accountExport.ts';
import { ADMIN_LOOK_TYPES } from '../adminLook.ts';
import { API_KEY_USE_TYPES, API_KEYS_TYPES } from '../apiKeys.ts';
import { BILLING_NOTES_TYPES, BILLING_TYPES } from '../billing.ts';
import { CODE_TYPES } from '../code.ts';
import { EVENT_EXPORT_TYPES } from '../eventExport.ts';
import { IDENTITY_TYPES, PSEUDONYM_KEY_TYPES, RULE_TYPES } from '../installation.ts';
import {
  CRAWL_TYPES,
  JOB_DELETIONS_TYPES,
  JOB_TYPES,
  PAGE_RECORD_TYPES,
  REPORT_OPENED_TYPES,
  REPORT_TYPES,
} from '../job.ts';
import { IDENTITY_CLAIM_TYPES, LOG_IN_TYPES } from '../logIn.ts';
import { PLAN_TYPES } from '../plan.ts';
import { PROMPT_TYPES } from '../prompt.ts';
import { PROMPT_TRIAL_TYPES } from '../promptTrial.ts';
import { PROVIDER_EVENT_TYPES } from '../providerEvent.ts';
import { REWORK_TYPES } from '../rework.ts';
import { SECOND_FACTOR_TYPES } from '../secondFactor.ts';
import { SEQUENCE_MAILS_TYPES, SEQUENCE_TYPES } from '../sequence.ts';
import { SHARE_TYPES, SHARE_VISIT_TYPES } from '../share.ts';
import type { StoredType } from '../storedType.ts';
import {
  CHECKOUT_TYPES,
  REFUSED_LOG_IN_TYPES,
  REFUSED_SUBMISSION_TYPES,
  TALLY_SUM_TYPES,
  TRIED_CODE_TYPES,
} from '../tally.ts';
import { WEBHOOK_DELIVERY_TYPES, WEBHOOK_SECRET_TYPES, WEBHOOKS_TYPES } from '../webhooks.ts';
import { FOLLOW_UP_TYPES, MAIL_TYPES, PARKED_TYPES, REQUEST_TYPES, WORK_TYPES } from '../work.ts';

type Entry = {
  /** The field that follows the kind in the name; null if nothing does. */
  readonly about: string | null;
  /** `id`: of an object or a person. `word`: one of the product's own words. `word-id`: both. */
  readonly named: 'id' | 'word' | 'word-id';
  readonly types: Readonly<Record<string, StoredType>>;
};

const of = (about: string | null, types: Entry['types'], named: Entry['named'] = 'id'): Entry => ({
  about,
  named,
  types,
});

const KINDS = {
  account: of('userId', ACCOUNT_TYPES),
  email: of('hash', EMAIL_TYPES),
  session: of('sessionId', SESSION_TYPES),
  'second-factor': of('userId', SECOND_FACTOR_TYPES),
  'log-in': of('userId', LOG_IN_TYPES),
  'provider-identity': of('hash', IDENTITY_CLAIM_TYPES),
  installation: of(null, INSTALLATION_TYPES, 'word'),
  identity: of('of', IDENTITY_TYPES, 'word'),
  rule: of('name', RULE_TYPES, 'word'),
  'pseudonym-key': of(null, PSEUDONYM_KEY_TYPES, 'word'),
  job: of('jobId', JOB_TYPES),
  'job-deletions': of('userId', JOB_DELETIONS_TYPES),
  crawl: of('jobId', CRAWL_TYPES),
  report: of('jobId', REPORT_TYPES),
  'page-records': of('jobId', PAGE_RECORD_TYPES),
  opened: of('jobId', REPORT_OPENED_TYPES),
  plan: of('jobId', PLAN_TYPES),
  rework: of('reworkId', REWORK_TYPES),
  shares: of('jobId', SHARE_TYPES),
  'share-visits': of('jobId', SHARE_VISIT_TYPES),
  billing: of('userId', BILLING_TYPES),
  'billing-notes': of('userId', BILLING_NOTES_TYPES),
  code: of('codeId', CODE_TYPES),
  stripe: of('eventId', PROVIDER_EVENT_TYPES),
  mail: of('mailId', MAIL_TYPES),
  sequence: of('sequenceId', SEQUENCE_TYPES),
  delivery: of('userId', SEQUENCE_MAILS_TYPES),
  'api-keys': of('userId', API_KEYS_TYPES),
  'api-key-use': of('keyId', API_KEY_USE_TYPES),
  webhooks: of('userId', WEBHOOKS_TYPES),
  'webhook-secret': of('endpointId', WEBHOOK_SECRET_TYPES),
  'webhook-delivery': of('deliveryId', WEBHOOK_DELIVERY_TYPES),
  prompt: of('key', PROMPT_TYPES, 'word'),
  'prompt-trial': of('jobId', PROMPT_TRIAL_TYPES),
  exports: of('userId', ACCOUNT_EXPORT_TYPES),
  'export-file': of('fileId', EXPORT_FILE_TYPES),
  'admin-look': of('lookId', ADMIN_LOOK_TYPES),
  'event-export': of('exportId', EVENT_EXPORT_TYPES),
  'follow-up': of('followUpId', FOLLOW_UP_TYPES),
  work: of('kind-itemId', WORK_TYPES, 'word-id'),
  parked: of('model', PARKED_TYPES, 'word'),
  request: of('commandId', REQUEST_TYPES),
  'refused-submissions': of('month-userId', REFUSED_SUBMISSION_TYPES, 'word-id'),
  checkouts: of('month-userId', CHECKOUT_TYPES, 'word-id'),
  'tried-codes': of('month-userId', TRIED_CODE_TYPES, 'word-id'),
  'refused-log-ins': of('month-userId', REFUSED_LOG_IN_TYPES, 'word-id'),
  'tally-sums': of('sumId', TALLY_SUM_TYPES),
};

export type StreamKindName = keyof typeof KINDS;

export type StreamKind = Entry & {
  readonly kind: StreamKindName;
  /** Common prefix of the names; for a kind with a single stream, the whole name. */
  readonly prefix: string;
};

export const STREAM_KINDS: readonly StreamKind[] = Object.entries(KINDS).map(([name, entry]) => ({
  ...entry,
  kind: name as StreamKindName,
  prefix: entry.about === null ? name : `${name}-`,
}));

// `job-deletions-…` must not match `job-…`.
const LONGEST_FIRST = STREAM_KINDS.toSorted((a, b) => b.kind.length - a.kind.length);

/** The kind of a stream and the rest of its name. Null if no kind matches. */
export function streamKindOf(stream: string): { readonly kind: StreamKind; readonly rest: string } | null {
  const kind = LONGEST_FIRST.find(({ about, prefix }) =>
    about === null ? stream === prefix : stream.startsWith(prefix) && stream.length > prefix.length,
  );
  return kind ? { kind, rest: stream.slice(kind.prefix.length) } : null;
}
