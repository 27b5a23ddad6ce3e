/** All reports, in display order. */
import { cohorts } from './cohorts.ts';
import { completion } from './completion.ts';
import { errors } from './errors.ts';
import { funnel } from './funnel.ts';
import { logins } from './logins.ts';
import { mails } from './mails.ts';
import { payouts } from './payouts.ts';
import { previews } from './previews.ts';
import { quality } from './quality.ts';
import type { AnyReport } from './report.ts';
import { revenue } from './revenue.ts';
import { usage } from './usage.ts';

export const REPORTS: readonly AnyReport[] = [revenue, usage, funnel, logins, cohorts, previews, completion, quality, mails, errors, payouts];

export const reportNamed = (name: string): AnyReport | undefined => REPORTS.find((report) => report.name === name);
