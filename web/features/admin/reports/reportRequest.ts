/** The report in the page's address, so that a link shows everyone the same. */
import { FORMER_REPORT_NAMES, REPORT_STEPS, type ReportStep } from '../../../../src/model/reports.ts';

export interface ReportRequest {
  readonly report: string;
  /** Days (UTC), inclusive; empty for all. */
  readonly from: string;
  readonly to: string;
  readonly by: ReportStep;
  /** A day (until its end), a UTC time or a log position; empty for now. */
  readonly asOf: string;
}

const USUAL_STEP: ReportStep = 'month';

/** `usual`: the default report. */
export function requestIn(address: URLSearchParams, usual: string): ReportRequest {
  const report = address.get('report') ?? usual;
  return {
    report: FORMER_REPORT_NAMES.get(report) ?? report,
    from: address.get('from') ?? '',
    to: address.get('to') ?? '',
    by: REPORT_STEPS.find((step) => step === address.get('by')) ?? USUAL_STEP,
    asOf: address.get('as_of') ?? '',
  };
}

/** Ends before it begins, so there is nothing to load. */
export const isBackwards = ({ from, to }: ReportRequest): boolean => from !== '' && to !== '' && to < from;

/** Defaults are omitted. */
export function addressOf(asked: ReportRequest): URLSearchParams {
  return new URLSearchParams({ report: asked.report, ...queryOf(asked) });
}

export function queryOf({ from, to, by, asOf }: ReportRequest): Record<string, string> {
  return {
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(by === USUAL_STEP ? {} : { by }),
    ...(asOf === '' ? {} : { as_of: asOf }),
  };
}

/** The equivalent CLI command. */
export function commandOf({ report, from, to, by, asOf }: ReportRequest): string {
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

/** File name of a table's download. */
export function fileNameOf({ report, asOf }: ReportRequest, table: string, today: string): string {
  return `${report}-${table}-${(asOf === '' ? today : asOf).replaceAll(/[^\w-]/g, '-')}`;
}
