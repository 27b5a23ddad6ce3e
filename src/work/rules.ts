/** The rules of every kind of work: the product's read models, plus the list of pending work. */
import { PROJECTIONS } from '../projections/all.ts';
import type { AnyProjection } from '../projections/projection.ts';
import { workItemsModel } from './items.ts';
import type { WorkRule } from './kind.ts';
import { accountExportRule } from './kinds/accountExport.ts';
import { auditRule } from './kinds/audit.ts';
import { followUpRule } from './kinds/followUp.ts';
import { mailRule } from './kinds/mail.ts';
import { promptTrialRule } from './kinds/promptTrial.ts';
import { providerEventRule } from './kinds/providerEvent.ts';
import { reworkRule } from './kinds/rework.ts';
import { sequenceMailRule } from './kinds/sequenceMail.ts';
import { webhookRule } from './kinds/webhook.ts';

export const WORK_RULES: readonly WorkRule[] = [
  auditRule,
  mailRule,
  webhookRule,
  reworkRule,
  providerEventRule,
  followUpRule,
  sequenceMailRule,
  promptTrialRule,
  accountExportRule,
];

export const READ_MODELS: readonly AnyProjection[] = [...PROJECTIONS, workItemsModel(WORK_RULES)];
