/** Every read model of the product. */

import { accounts } from './accounts.ts';
import { apiKeys } from './apiKeys.ts';
import { billing } from './billing.ts';
import { boards } from './boards.ts';
import { accountExports } from './exports/accountExports.ts';
import { givenUpWork } from './givenUpWork.ts';
import { activity } from './history/activity.ts';
import { causes } from './history/causes.ts';
import { jobFiles } from './jobFiles.ts';
import { jobIndex } from './jobIndex.ts';
import { jobs } from './jobs.ts';
import { keptAnswers } from './keptAnswers.ts';
import { ledger } from './ledger.ts';
import { failedMails } from './mails/failedMails.ts';
import { userMails } from './mails/userMails.ts';
import { pageRecords } from './pageRecords.ts';
import type { AnyProjection } from './projection.ts';
import { prompts } from './prompts.ts';
import { promptTrials } from './promptTrials.ts';
import { reports } from './reports.ts';
import { reworks } from './reworks.ts';
import { sequenceRecipients } from './sequences/sequenceRecipients.ts';
import { sequences } from './sequences/sequences.ts';
import { sessions } from './sessions.ts';
import { shares } from './shares.ts';
import { userProgress } from './userProgress/userProgress.ts';
import { webhookDeliveries } from './webhookDeliveries.ts';
import { webhooks } from './webhooks.ts';

export const PROJECTIONS: readonly AnyProjection[] = [
  accounts,
  sessions,
  keptAnswers,
  jobs,
  jobIndex,
  jobFiles,
  reports,
  pageRecords,
  boards,
  reworks,
  billing,
  apiKeys,
  webhooks,
  webhookDeliveries,
  shares,
  sequences,
  sequenceRecipients,
  userProgress,
  failedMails,
  userMails,
  prompts,
  causes,
  activity,
  promptTrials,
  givenUpWork,
  accountExports,
  ledger,
];
