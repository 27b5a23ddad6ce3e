/** Every event type ever written. An entry is never removed: events are stored forever. */
import { ACCOUNT_TYPES, EMAIL_TYPES, INSTALLATION_TYPES, SESSION_TYPES } from './account.ts';
import { ACCOUNT_EXPORT_TYPES, EXPORT_FILE_TYPES } from './accountExport.ts';
import { ADMIN_LOOK_TYPES } from './adminLook.ts';
import { API_KEY_USE_TYPES, API_KEYS_TYPES } from './apiKeys.ts';
import { BILLING_NOTES_TYPES, BILLING_TYPES } from './billing.ts';
import { CODE_TYPES } from './code.ts';
import { EVENT_EXPORT_TYPES } from './eventExport.ts';
import { IDENTITY_TYPES, PSEUDONYM_KEY_TYPES, RULE_TYPES } from './installation.ts';
import {
  CRAWL_TYPES,
  JOB_DELETIONS_TYPES,
  JOB_TYPES,
  PAGE_RECORD_TYPES,
  REPORT_OPENED_TYPES,
  REPORT_TYPES,
} from './job.ts';
import { IDENTITY_CLAIM_TYPES, LOG_IN_TYPES } from './logIn.ts';
import { PLAN_TYPES } from './plan.ts';
import { PROMPT_TYPES } from './prompt.ts';
import { PROMPT_TRIAL_TYPES } from './promptTrial.ts';
import { PROVIDER_EVENT_TYPES } from './providerEvent.ts';
import { REWORK_TYPES } from './rework.ts';
import { SECOND_FACTOR_TYPES } from './secondFactor.ts';
import { SEQUENCE_MAILS_TYPES, SEQUENCE_TYPES } from './sequence.ts';
import { SHARE_TYPES, SHARE_VISIT_TYPES } from './share.ts';
import type { StoredType } from './storedType.ts';
import {
  CHECKOUT_TYPES,
  REFUSED_LOG_IN_TYPES,
  REFUSED_SUBMISSION_TYPES,
  TALLY_SUM_TYPES,
  TRIED_CODE_TYPES,
} from './tally.ts';
import { WEBHOOK_DELIVERY_TYPES, WEBHOOK_SECRET_TYPES, WEBHOOKS_TYPES } from './webhooks.ts';
import { FOLLOW_UP_TYPES, MAIL_TYPES, PARKED_TYPES, REQUEST_TYPES, WORK_TYPES } from './work.ts';

export const STORED = {
  ...ACCOUNT_TYPES,
  ...EMAIL_TYPES,
  ...SESSION_TYPES,
  ...INSTALLATION_TYPES,
  ...IDENTITY_TYPES,
  ...RULE_TYPES,
  ...PSEUDONYM_KEY_TYPES,
  ...JOB_TYPES,
  ...JOB_DELETIONS_TYPES,
  ...REPORT_TYPES,
  ...PAGE_RECORD_TYPES,
  ...REPORT_OPENED_TYPES,
  ...CRAWL_TYPES,
  ...PLAN_TYPES,
  ...BILLING_TYPES,
  ...BILLING_NOTES_TYPES,
  ...CODE_TYPES,
  ...PROVIDER_EVENT_TYPES,
  ...API_KEYS_TYPES,
  ...API_KEY_USE_TYPES,
  ...WEBHOOKS_TYPES,
  ...WEBHOOK_SECRET_TYPES,
  ...WEBHOOK_DELIVERY_TYPES,
  ...SHARE_TYPES,
  ...SHARE_VISIT_TYPES,
  ...MAIL_TYPES,
  ...REWORK_TYPES,
  ...FOLLOW_UP_TYPES,
  ...WORK_TYPES,
  ...PARKED_TYPES,
  ...REQUEST_TYPES,
  ...ADMIN_LOOK_TYPES,
  ...SEQUENCE_TYPES,
  ...SEQUENCE_MAILS_TYPES,
  ...PROMPT_TYPES,
  ...PROMPT_TRIAL_TYPES,
  ...SECOND_FACTOR_TYPES,
  ...LOG_IN_TYPES,
  ...IDENTITY_CLAIM_TYPES,
  ...ACCOUNT_EXPORT_TYPES,
  ...EXPORT_FILE_TYPES,
  ...EVENT_EXPORT_TYPES,
  ...REFUSED_SUBMISSION_TYPES,
  ...CHECKOUT_TYPES,
  ...TRIED_CODE_TYPES,
  ...REFUSED_LOG_IN_TYPES,
  ...TALLY_SUM_TYPES,
};

const BY_NAME: ReadonlyMap<string, StoredType> = new Map(Object.entries(STORED));

/** Undefined: no version of this product so far wrote such an event. */
export const storedType = (type: string): StoredType | undefined => BY_NAME.get(type);
