/** All reports, in display order. */
import { FORMER_REPORT_NAMES } from '../model/reports.ts';
import { checkouts } from './checkouts.ts';
import { codes } from './codes.ts';
import { cohorts } from './cohorts.ts';
import { completion } from './completion.ts';
import { errors } from './errors.ts';
import { funnel } from './funnel.ts';
import { logins } from './logins.ts';
import { mails } from './mails.ts';
import { previews } from './previews.ts';
import { quality } from './quality.ts';
import { reconciliation } from './reconciliation.ts';
import type { AnyReport } from './report.ts';
import { revenue } from './revenue.ts';
import { usage } from './usage.ts';

export const REPORTS: readonly AnyReport[] = [
  revenue,
  codes,
  usage,
  funnel,
  checkouts,
  logins,
  cohorts,
  previews,
  completion,
  quality,
  mails,
  errors,
  reconciliation,
];

/** Also by a former name. */
export function reportNamed(given: string): AnyReport | undefined {
  const name = FORMER_REPORT_NAMES.get(given) ?? given;
  return REPORTS.find((report) => report.name === name);
}
