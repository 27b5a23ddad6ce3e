/** What is asked of a report, as the address of the page has it: a link shows the same to whoever opens it. */
import { REPORT_STEPS, type ReportStep } from '../../../../src/model/reports.ts';

export interface AskedReport {
  readonly report: string;
  /** Days (UTC), both inclusive; empty: all of them. */
  readonly from: string;
  readonly to: string;
  readonly by: ReportStep;
  /** A day (to its end), a UTC time or a position of the log; empty: now. */
  readonly asOf: string;
}

const USUAL_STEP: ReportStep = 'month';

/** `usual`: the report that is shown when none is named. */
export function askedIn(address: URLSearchParams, usual: string): AskedReport {
  return {
    report: address.get('report') ?? usual,
    from: address.get('from') ?? '',
    to: address.get('to') ?? '',
    by: REPORT_STEPS.find((step) => step === address.get('by')) ?? USUAL_STEP,
    asOf: address.get('as_of') ?? '',
  };
}

/** It ends before it begins: there is nothing to ask for. */
export const isBackwards = ({ from, to }: AskedReport): boolean => from !== '' && to !== '' && to < from;

/** What is usual is not said. */
export function addressOf(asked: AskedReport): URLSearchParams {
  return new URLSearchParams({ report: asked.report, ...queryOf(asked) });
}

export function queryOf({ from, to, by, asOf }: AskedReport): Record<string, string> {
  return {
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(by === USUAL_STEP ? {} : { by }),
    ...(asOf === '' ? {} : { as_of: asOf }),
  };
}

/** The same question in a terminal. */
export function commandOf({ report, from, to, by, asOf }: AskedReport): string {
  const options = [
    ['--report', report],
    ['--from', from],
    ['--to', to],
    ['--by', by === USUAL_STEP ? '' : by],
    ['--as-of', asOf],
  ] as const;
  const given = options
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name} ${/^[\w.:-]+$/.test(value) ? value : `'${value.replaceAll("'", '')}'`}`);
  return `npm run replay -- ${given.join(' ')}`;
}

/** Of its files. */
export function fileNameOf({ report, asOf }: AskedReport, table: string, today: string): string {
  return `${report}-${table}-${(asOf === '' ? today : asOf).replaceAll(/[^\w-]/g, '-')}`;
}
