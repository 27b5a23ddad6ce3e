/** Every kind of stream the product writes, for reading its history: its name, how it is folded and who owns it. */

import { accountDecider } from '../domain/account/decide.ts';
import { emailDecider } from '../domain/account/email.ts';
import { installationDecider } from '../domain/account/installation.ts';
import { sessionDecider } from '../domain/account/session.ts';
import { accountExportDecider } from '../domain/accountExport/accountExport.ts';
import { adminLookDecider } from '../domain/adminLook/adminLook.ts';
import type { LookedAt } from '../domain/adminLook/events.ts';
import { apiKeysDecider } from '../domain/apiKeys/apiKeys.ts';
import { billingDecider } from '../domain/billing/decide.ts';
import { billingNotesDecider } from '../domain/billing/notes.ts';
import { codeDecider } from '../domain/code/code.ts';
import { eventExportDecider } from '../domain/eventExport/eventExport.ts';
import { emailProofRuleDecider } from '../domain/installation/emailProofRule.ts';
import { identityDecider } from '../domain/installation/identity.ts';
import { pseudonymKeyDecider } from '../domain/installation/pseudonymKey.ts';
import { jobDecider } from '../domain/job/decide.ts';
import { jobDeletionsDecider } from '../domain/job/deletions.ts';
import { jobStream } from '../domain/job/events.ts';
import { identityClaimDecider } from '../domain/logIn/identityClaim.ts';
import { logInDecider } from '../domain/logIn/logIn.ts';
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
import { classOf, type FieldClass } from '../domain/stored/catalogue/fieldClasses.ts';
import { storedFields } from '../domain/stored/catalogue/storedFields.ts';
import {
  STREAM_KINDS as NAMED_KINDS,
  type StreamKind as NamedKind,
  type StreamKindName,
  streamKindOf,
} from '../domain/stored/catalogue/streamKinds.ts';
import { deliveryDecider } from '../domain/webhooks/delivery.ts';
import { webhookSecretDecider, webhooksDecider } from '../domain/webhooks/webhooks.ts';
import { followUpDecider } from '../domain/work/followUp.ts';
import { type Folded, foldOf } from './folded.ts';
import { shownBill, shownCode, shownDeletions, shownPrompt, shownReport, writtenReport } from './views.ts';

/**
 * What the rest of a stream's name identifies: a user, a job, something whose own events name the owner, or something
 * without an owner.
 */
type OwnedBy = 'user' | 'job' | 'own' | 'nobody';

type Reading = {
  /** Display name: 'Job'. */
  readonly name: string;
  /** State before its first event; null if it has no state beyond its events. */
  readonly initial: Folded | null;
  readonly ownedBy: OwnedBy;
  /** What a view of it by an admin is recorded as. */
  readonly thing: LookedAt;
  /** Its events are large: they are read in small chunks and its states are not cached. */
  readonly isBulky: boolean;
  /** State fields that hold secrets from its events under another name. */
  readonly alsoSecret: readonly string[];
  /** The stream whose events record its deletion; null if it cannot be derived from the name. */
  readonly deletionIn: ((id: string) => string) | null;
};

export type StreamKind = Pick<NamedKind, 'kind' | 'prefix' | 'types'> & Reading;

type More = Partial<Pick<Reading, 'isBulky' | 'alsoSecret' | 'deletionIn'>>;

function read(
  name: string,
  initial: Folded | null,
  [ownedBy, thing]: readonly [OwnedBy, LookedAt],
  more: More = {},
): Reading {
  return { name, initial, ownedBy, thing, isBulky: false, alsoSecret: [], deletionIn: null, ...more };
}

const WITH_JOB = { deletionIn: jobStream } as const;

/** In the order in which a job's or user's streams are shown. */
const READINGS: Readonly<Record<StreamKindName, Reading>> = {
  job: read('Job', foldOf(jobDecider), ['job', 'job']),
  plan: read('Action plan', foldOf(planDecider), ['job', 'report'], WITH_JOB),
  report: read('Report', foldOf(writtenReport, shownReport), ['job', 'report'], { ...WITH_JOB, isBulky: true }),
  'page-records': read('Records of pages', null, ['job', 'report'], { ...WITH_JOB, isBulky: true }),
  crawl: read('Crawl data', null, ['job', 'report'], { ...WITH_JOB, isBulky: true }),
  opened: read('Opening of a report', null, ['job', 'report'], WITH_JOB),
  shares: read('Shared links', foldOf(shareDecider), ['job', 'job'], WITH_JOB),
  'share-visits': read('Visits of shared links', null, ['job', 'job'], WITH_JOB),
  rework: read('Rework', foldOf(reworkDecider), ['own', 'account']),
  'job-deletions': read('Deleted jobs', foldOf(jobDeletionsDecider, shownDeletions), ['user', 'account']),
  account: read('Account', foldOf(accountDecider), ['user', 'account']),
  billing: read('Bill', foldOf(billingDecider, shownBill), ['user', 'bill']),
  'billing-notes': read('Notes on the bill', foldOf(billingNotesDecider), ['user', 'bill']),
  session: read('Session', foldOf(sessionDecider), ['own', 'account'], { alsoSecret: ['replaced'] }),
  'second-factor': read('Two-factor authentication', foldOf(secondFactorDecider), ['user', 'account']),
  'log-in': read('Ways to log in', foldOf(logInDecider), ['user', 'account'], {
    alsoSecret: ['browserHash', 'credentialId', 'publicKey'],
  }),
  'provider-identity': read('Claim of an identity', foldOf(identityClaimDecider), ['own', 'account']),
  'api-keys': read('API keys', foldOf(apiKeysDecider), ['user', 'account']),
  'api-key-use': read('Use of an API key', null, ['own', 'account']),
  webhooks: read('Webhooks', foldOf(webhooksDecider), ['user', 'account']),
  'webhook-secret': read('Secret of a webhook', foldOf(webhookSecretDecider), ['own', 'account']),
  'webhook-delivery': read('Webhook delivery', foldOf(deliveryDecider), ['own', 'account']),
  exports: read('Data exports', foldOf(accountExportDecider), ['user', 'account']),
  'export-file': read('File of a data export', null, ['own', 'account'], { isBulky: true }),
  email: read('Claim of an email address', foldOf(emailDecider), ['own', 'account']),
  delivery: read('Sequence emails', foldOf(sequenceMailsDecider), ['user', 'account']),
  mail: read('Email', foldOf(mailDecider), ['own', 'account'], { alsoSecret: ['unsubscribeHashes'] }),
  code: read('Uses of a promotion code', foldOf(codeDecider, shownCode), ['nobody', 'bill']),
  stripe: read('Payment provider event', foldOf(providerEventDecider), ['own', 'bill']),
  request: read('Request', null, ['own', 'account']),
  'refused-submissions': read('Refused submissions', null, ['own', 'account']),
  checkouts: read('Checkouts', null, ['own', 'bill']),
  'tried-codes': read('Tried codes', null, ['own', 'bill']),
  'refused-log-ins': read('Refused log-ins', null, ['own', 'account']),
  'tally-sums': read('Sums of deleted counts', null, ['nobody', 'account']),
  'admin-look': read('Admin view', foldOf(adminLookDecider), ['own', 'account']),
  'event-export': read('Export of events', foldOf(eventExportDecider), ['own', 'account']),
  prompt: read('Prompt', foldOf(promptDecider, shownPrompt), ['nobody', 'account']),
  'prompt-trial': read('Tried prompts', foldOf(promptTrialDecider), ['job', 'report'], WITH_JOB),
  sequence: read('Email sequence', foldOf(sequenceDecider), ['nobody', 'account']),
  'follow-up': read('Event set aside', foldOf(followUpDecider), ['nobody', 'account']),
  work: read('Retries of work', null, ['nobody', 'account']),
  parked: read('Retries of parked documents', null, ['nobody', 'account']),
  installation: read('Installation', foldOf(installationDecider), ['nobody', 'account']),
  identity: read('Identity of the installation', foldOf(identityDecider), ['nobody', 'account'], {
    alsoSecret: ['fingerprints'],
  }),
  rule: read('Rule of the installation', foldOf(emailProofRuleDecider), ['nobody', 'account']),
  'pseudonym-key': read('Key of pseudonyms', foldOf(pseudonymKeyDecider), ['nobody', 'account']),
};

const readingOf = (kind: NamedKind): StreamKind => ({ ...kind, ...READINGS[kind.kind] });

const ORDER = Object.keys(READINGS);

export const STREAM_KINDS: readonly StreamKind[] = NAMED_KINDS.map(readingOf).toSorted(
  (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind),
);

/** A stream's kind and the id in its name. Null if the product writes no such stream. */
export function kindOf(stream: string): { readonly kind: StreamKind; readonly id: string } | null {
  const found = streamKindOf(stream);
  return found && { kind: readingOf(found.kind), id: found.rest };
}

/** Names of fields whose values are always hidden in the states of such a stream. */
export function secretFields({ types, alsoSecret }: Pick<StreamKind, 'types' | 'alsoSecret'>): ReadonlySet<string> {
  const paths = Object.values(types).flatMap(({ secret }) => secret);
  return new Set([...paths.map((path) => path.slice(path.lastIndexOf('.') + 1)), ...alsoSecret]);
}

const NAMES_SITE: ReadonlySet<FieldClass | null> = new Set<FieldClass>(['host', 'url', 'text']);

/**
 * The kind to use for a job that its owner deleted: everything that reveals the site, and every text, is hidden like a
 * password.
 */
export function withoutSite(kind: StreamKind): StreamKind {
  const fields = Object.entries(kind.types).flatMap(([type, stored]) =>
    storedFields(stored.schema).filter((field) => NAMES_SITE.has(classOf(type, stored, field))),
  );
  return {
    ...kind,
    alsoSecret: [...kind.alsoSecret, ...new Set(fields.map(({ path }) => path.slice(path.lastIndexOf('.') + 1)))],
  };
}
