/** Every kind of stream that the product writes: what it is, how it is folded, whose it is. A test compares it with the registry and the code. */
import { accountDecider } from '../domain/account/decide.ts';
import { emailDecider } from '../domain/account/email.ts';
import { INSTALLATION_STREAM, installationDecider } from '../domain/account/installation.ts';
import { sessionDecider } from '../domain/account/session.ts';
import { adminLookDecider } from '../domain/adminLook/adminLook.ts';
import type { LookedAt } from '../domain/adminLook/events.ts';
import { apiKeysDecider } from '../domain/apiKeys/apiKeys.ts';
import { billingDecider } from '../domain/billing/decide.ts';
import { jobDecider } from '../domain/job/decide.ts';
import { jobDeletionsDecider } from '../domain/job/deletions.ts';
import { jobStream } from '../domain/job/job.ts';
import { mailDecider } from '../domain/mail/mail.ts';
import { planDecider } from '../domain/plan/decide.ts';
import { promptDecider } from '../domain/prompt/prompt.ts';
import { promptTrialDecider } from '../domain/promptTrial/promptTrial.ts';
import { providerEventDecider } from '../domain/providerEvent/providerEvent.ts';
import { reworkDecider } from '../domain/rework/rework.ts';
import { secondFactorDecider } from '../domain/secondFactor/secondFactor.ts';
import { sequenceMailsDecider } from '../domain/sequence/mails.ts';
import { sequenceDecider } from '../domain/sequence/sequence.ts';
import { shareDecider } from '../domain/share/decide.ts';
import { ACCOUNT_TYPES, EMAIL_TYPES, INSTALLATION_TYPES, SESSION_TYPES } from '../domain/stored/account.ts';
import { ADMIN_LOOK_TYPES } from '../domain/stored/adminLook.ts';
import { API_KEY_USE_TYPES, API_KEYS_TYPES } from '../domain/stored/apiKeys.ts';
import { BILLING_TYPES } from '../domain/stored/billing.ts';
import { CRAWL_TYPES, JOB_DELETIONS_TYPES, JOB_TYPES, REPORT_OPENED_TYPES, REPORT_TYPES } from '../domain/stored/job.ts';
import { PLAN_TYPES } from '../domain/stored/plan.ts';
import { PROMPT_TYPES } from '../domain/stored/prompt.ts';
import { PROMPT_TRIAL_TYPES } from '../domain/stored/promptTrial.ts';
import { PROVIDER_EVENT_TYPES } from '../domain/stored/providerEvent.ts';
import { REWORK_TYPES } from '../domain/stored/rework.ts';
import { SECOND_FACTOR_TYPES } from '../domain/stored/secondFactor.ts';
import { SEQUENCE_MAILS_TYPES, SEQUENCE_TYPES } from '../domain/stored/sequence.ts';
import { SHARE_TYPES, SHARE_VISIT_TYPES } from '../domain/stored/share.ts';
import type { StoredType } from '../domain/stored/storedType.ts';
import { WEBHOOK_DELIVERY_TYPES, WEBHOOK_SECRET_TYPES, WEBHOOKS_TYPES } from '../domain/stored/webhooks.ts';
import { FOLLOW_UP_TYPES, MAIL_TYPES, PARKED_TYPES, REQUEST_TYPES, WORK_TYPES } from '../domain/stored/work.ts';
import { deliveryDecider } from '../domain/webhooks/delivery.ts';
import { webhookSecretDecider, webhooksDecider } from '../domain/webhooks/webhooks.ts';
import { followUpDecider } from '../domain/work/followUp.ts';
import { type Folded, foldOf } from './folded.ts';
import { shownBill, shownDeletions, shownReport, writtenReport } from './views.ts';

/** What the rest of a stream's name is: a user's id, a job's, the id of something that its own events say whose it is, or of what is nobody's. */
type Named = 'user' | 'job' | 'own' | 'nobody';

export type StreamKind = {
  /** `job-`; of the one stream of its kind the whole name. */
  readonly prefix: string;
  /** In plain words: 'Job'. */
  readonly name: string;
  readonly types: Readonly<Record<string, StoredType>>;
  /** Before its first event; null: its events are all there is. */
  readonly initial: Folded | null;
  readonly named: Named;
  /** As what a look at it is recorded. */
  readonly thing: LookedAt;
  /** Its events are large: few of them are read at once, and none of its states is kept. */
  readonly isBulky: boolean;
  /** Fields of its states that hold secrets of its events under another name. */
  readonly alsoSecret: readonly string[];
  /** When it is deleted for good, the stream whose events say so; null: none that follows from its name. */
  readonly deletionIn: ((id: string) => string) | null;
};

type More = Partial<Pick<StreamKind, 'isBulky' | 'alsoSecret' | 'deletionIn'>>;

function kind(prefix: string, name: string, types: StreamKind['types'], initial: Folded | null, of: readonly [Named, LookedAt], more: More = {}): StreamKind {
  const [named, thing] = of;
  return { prefix, name, types, initial, named, thing, isBulky: false, alsoSecret: [], deletionIn: null, ...more };
}

const WITH_JOB = { deletionIn: jobStream } as const;

export const STREAM_KINDS: readonly StreamKind[] = [
  kind('job-', 'Job', JOB_TYPES, foldOf(jobDecider), ['job', 'job']),
  kind('plan-', 'Action plan', PLAN_TYPES, foldOf(planDecider), ['job', 'report'], WITH_JOB),
  kind('report-', 'Report', REPORT_TYPES, foldOf(writtenReport, shownReport), ['job', 'report'], { ...WITH_JOB, isBulky: true }),
  kind('crawl-', 'Crawl data', CRAWL_TYPES, null, ['job', 'report'], { ...WITH_JOB, isBulky: true }),
  kind('opened-', 'Opening of a report', REPORT_OPENED_TYPES, null, ['job', 'report'], WITH_JOB),
  kind('shares-', 'Shared links', SHARE_TYPES, foldOf(shareDecider), ['job', 'job'], WITH_JOB),
  kind('share-visits-', 'Visits of shared links', SHARE_VISIT_TYPES, null, ['job', 'job'], WITH_JOB),
  kind('rework-', 'Rework', REWORK_TYPES, foldOf(reworkDecider), ['own', 'account']),
  kind('job-deletions-', 'Deleted jobs', JOB_DELETIONS_TYPES, foldOf(jobDeletionsDecider, shownDeletions), ['user', 'account']),
  kind('account-', 'Account', ACCOUNT_TYPES, foldOf(accountDecider), ['user', 'account']),
  kind('billing-', 'Bill', BILLING_TYPES, foldOf(billingDecider, shownBill), ['user', 'bill']),
  kind('session-', 'Session', SESSION_TYPES, foldOf(sessionDecider), ['own', 'account'], { alsoSecret: ['replaced'] }),
  kind('second-factor-', 'Two-factor authentication', SECOND_FACTOR_TYPES, foldOf(secondFactorDecider), ['user', 'account']),
  kind('api-keys-', 'API keys', API_KEYS_TYPES, foldOf(apiKeysDecider), ['user', 'account']),
  kind('api-key-use-', 'Use of an API key', API_KEY_USE_TYPES, null, ['own', 'account']),
  kind('webhooks-', 'Webhooks', WEBHOOKS_TYPES, foldOf(webhooksDecider), ['user', 'account']),
  kind('webhook-secret-', 'Secret of a webhook', WEBHOOK_SECRET_TYPES, foldOf(webhookSecretDecider), ['own', 'account']),
  kind('webhook-delivery-', 'Webhook delivery', WEBHOOK_DELIVERY_TYPES, foldOf(deliveryDecider), ['own', 'account']),
  kind('email-', 'Claim of an email address', EMAIL_TYPES, foldOf(emailDecider), ['own', 'account']),
  kind('delivery-', 'Sequence emails', SEQUENCE_MAILS_TYPES, foldOf(sequenceMailsDecider), ['user', 'account']),
  kind('mail-', 'Email', MAIL_TYPES, foldOf(mailDecider), ['own', 'account'], { alsoSecret: ['unsubscribeHashes'] }),
  kind('stripe-', 'Payment provider event', PROVIDER_EVENT_TYPES, foldOf(providerEventDecider), ['own', 'bill']),
  kind('request-', 'Request', REQUEST_TYPES, null, ['own', 'account']),
  kind('admin-look-', 'Look of an admin', ADMIN_LOOK_TYPES, foldOf(adminLookDecider), ['own', 'account']),
  kind('prompt-', 'Prompt', PROMPT_TYPES, foldOf(promptDecider), ['nobody', 'account']),
  kind('prompt-trial-', 'Tried prompts', PROMPT_TRIAL_TYPES, foldOf(promptTrialDecider), ['job', 'report'], WITH_JOB),
  kind('sequence-', 'Email sequence', SEQUENCE_TYPES, foldOf(sequenceDecider), ['nobody', 'account']),
  kind('follow-up-', 'Event set aside', FOLLOW_UP_TYPES, foldOf(followUpDecider), ['nobody', 'account']),
  kind('work-', 'Retries of work', WORK_TYPES, null, ['nobody', 'account']),
  kind('parked-', 'Retries of parked documents', PARKED_TYPES, null, ['nobody', 'account']),
  kind(INSTALLATION_STREAM, 'Installation', INSTALLATION_TYPES, foldOf(installationDecider), ['nobody', 'account']),
];

const LONGEST_FIRST = STREAM_KINDS.toSorted((a, b) => b.prefix.length - a.prefix.length);

/** The kind of a stream, and what it is named for. Null: the product writes no such stream. */
export function kindOf(stream: string): { readonly kind: StreamKind; readonly id: string } | null {
  const found = LONGEST_FIRST.find(({ prefix }) => (prefix.endsWith('-') ? stream.startsWith(prefix) && stream.length > prefix.length : stream === prefix));
  return found ? { kind: found, id: stream.slice(found.prefix.length) } : null;
}

/** Names of fields whose values nobody sees, in the states of such a stream. */
export function secretFields({ types, alsoSecret }: Pick<StreamKind, 'types' | 'alsoSecret'>): ReadonlySet<string> {
  const paths = Object.values(types).flatMap(({ secret }) => secret);
  return new Set([...paths.map((path) => path.slice(path.lastIndexOf('.') + 1)), ...alsoSecret]);
}
