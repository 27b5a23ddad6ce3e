/** The kinds of streams: what their names are made of, and which events stand in them. A name is its kind, a hyphen, and what it is about. */
import { ACCOUNT_TYPES, EMAIL_TYPES, INSTALLATION_TYPES, SESSION_TYPES } from '../account.ts';
import { ADMIN_LOOK_TYPES } from '../adminLook.ts';
import { API_KEY_USE_TYPES, API_KEYS_TYPES } from '../apiKeys.ts';
import { BILLING_TYPES } from '../billing.ts';
import { CRAWL_TYPES, JOB_DELETIONS_TYPES, JOB_TYPES, REPORT_TYPES } from '../job.ts';
import { PLAN_TYPES } from '../plan.ts';
import { PROMPT_TYPES } from '../prompt.ts';
import { PROVIDER_EVENT_TYPES } from '../providerEvent.ts';
import { REWORK_TYPES } from '../rework.ts';
import { SECOND_FACTOR_TYPES } from '../secondFactor.ts';
import { SEQUENCE_MAILS_TYPES, SEQUENCE_TYPES } from '../sequence.ts';
import { SHARE_TYPES, SHARE_VISIT_TYPES } from '../share.ts';
import { WEBHOOK_DELIVERY_TYPES, WEBHOOK_SECRET_TYPES, WEBHOOKS_TYPES } from '../webhooks.ts';
import { FOLLOW_UP_TYPES, MAIL_TYPES, PARKED_TYPES, REQUEST_TYPES, WORK_TYPES } from '../work.ts';

export type StreamKind = {
  readonly kind: string;
  /** What follows the kind in a name: the field that it is, null where nothing does. */
  readonly about: string | null;
  /** `id`: of a thing, or of somebody. `word`: one of the product's own. `word-id`: both. */
  readonly named: 'id' | 'word' | 'word-id';
  readonly types: readonly string[];
};

const kind = (name: string, about: string | null, types: object, named: StreamKind['named'] = 'id'): StreamKind => ({
  kind: name,
  about,
  named,
  types: Object.keys(types),
});

export const STREAM_KINDS: readonly StreamKind[] = [
  kind('account', 'userId', ACCOUNT_TYPES),
  kind('email', 'hash', EMAIL_TYPES),
  kind('session', 'sessionId', SESSION_TYPES),
  kind('second-factor', 'userId', SECOND_FACTOR_TYPES),
  kind('installation', null, INSTALLATION_TYPES, 'word'),
  kind('job', 'jobId', JOB_TYPES),
  kind('job-deletions', 'userId', JOB_DELETIONS_TYPES),
  kind('crawl', 'jobId', CRAWL_TYPES),
  kind('report', 'jobId', REPORT_TYPES),
  kind('plan', 'jobId', PLAN_TYPES),
  kind('rework', 'reworkId', REWORK_TYPES),
  kind('shares', 'jobId', SHARE_TYPES),
  kind('share-visits', 'jobId', SHARE_VISIT_TYPES),
  kind('billing', 'userId', BILLING_TYPES),
  kind('stripe', 'eventId', PROVIDER_EVENT_TYPES),
  kind('mail', 'mailId', MAIL_TYPES),
  kind('sequence', 'sequenceId', SEQUENCE_TYPES),
  kind('delivery', 'userId', SEQUENCE_MAILS_TYPES),
  kind('api-keys', 'userId', API_KEYS_TYPES),
  kind('api-key-use', 'keyId', API_KEY_USE_TYPES),
  kind('webhooks', 'userId', WEBHOOKS_TYPES),
  kind('webhook-secret', 'endpointId', WEBHOOK_SECRET_TYPES),
  kind('webhook-delivery', 'deliveryId', WEBHOOK_DELIVERY_TYPES),
  kind('prompt', 'key', PROMPT_TYPES, 'word'),
  kind('admin-look', 'lookId', ADMIN_LOOK_TYPES),
  kind('follow-up', 'followUpId', FOLLOW_UP_TYPES),
  kind('work', 'kind-itemId', WORK_TYPES, 'word-id'),
  kind('parked', 'model', PARKED_TYPES, 'word'),
  kind('request', 'commandId', REQUEST_TYPES),
];

// `job-deletions-…` is no `job-…`.
const LONGEST_FIRST = STREAM_KINDS.toSorted((a, b) => b.kind.length - a.kind.length);

/** The kind of a stream and what is left of its name. Null: no stream of this product is called so. */
export function streamKindOf(stream: string): { readonly kind: StreamKind; readonly rest: string } | null {
  for (const each of LONGEST_FIRST) {
    if (each.about === null && stream === each.kind) return { kind: each, rest: '' };
    if (each.about !== null && stream.startsWith(`${each.kind}-`)) return { kind: each, rest: stream.slice(each.kind.length + 1) };
  }
  return null;
}
