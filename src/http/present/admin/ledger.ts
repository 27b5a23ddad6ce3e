/** Rows of the ledger, as answers and as lines of files. */
import { billingStream } from '../../../domain/billing/events.ts';
import { eventWords } from '../../../model/history/eventWords.ts';
import { csvHead, csvLines } from '../../../model/reportCsv.ts';
import type { ReportColumn } from '../../../model/reports.ts';
import { nameOfTier } from '../../../model/tiers.ts';
import type { LedgerRow } from '../../../projections/ledger.ts';
import type { LedgerRowView } from '../../contract/admin/ledger.ts';

/** `emails`: by user id; those of deleted accounts are missing. */
export function presentLedgerRow(
  { id, position, data }: LedgerRow,
  emails: ReadonlyMap<string, string>,
): LedgerRowView {
  return {
    id,
    at: data.at,
    position,
    stream: billingStream(data.userId),
    revision: data.revision,
    type: data.type,
    kind: data.kind,
    user_id: data.userId,
    user_email: emails.get(data.userId) ?? null,
    amount: data.amount,
    currency: data.currency ?? null,
    funds: data.funds,
    credits: data.credits,
    plan: data.tier ?? null,
    former_plan: data.formerTier ?? null,
    code: data.code ?? null,
    invoice_number: data.invoiceNumber ?? null,
    payment_id: data.paymentId ?? null,
    subscription_id: data.subscriptionId ?? null,
    object_id: data.objectId ?? null,
    job_id: data.jobId ?? null,
  };
}

const COLUMNS: readonly ReportColumn[] = [
  { key: 'at', label: 'Time (UTC)', kind: 'text' },
  { key: 'event', label: 'Event', kind: 'text' },
  { key: 'kind', label: 'Kind', kind: 'text' },
  { key: 'user_id', label: 'User', kind: 'text' },
  { key: 'user_email', label: 'Email', kind: 'text' },
  { key: 'amount', label: 'Amount', kind: 'money' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'funds', label: 'Change of funds', kind: 'money' },
  { key: 'credits', label: 'Change of credits', kind: 'count' },
  { key: 'plan', label: 'Plan', kind: 'text' },
  { key: 'former_plan', label: 'Former plan', kind: 'text' },
  { key: 'code', label: 'Code', kind: 'text' },
  { key: 'invoice_number', label: 'Invoice number', kind: 'text' },
  { key: 'payment_id', label: 'Payment', kind: 'text' },
  { key: 'subscription_id', label: 'Subscription', kind: 'text' },
  { key: 'object_id', label: 'Invoice, refund, or dispute', kind: 'text' },
  { key: 'job_id', label: 'Job', kind: 'text' },
  { key: 'stream', label: 'Stream', kind: 'text' },
  { key: 'revision', label: 'Revision', kind: 'count' },
  { key: 'id', label: 'Event id', kind: 'text' },
  { key: 'position', label: 'Position', kind: 'text' },
];

/** With the mark by which a spreadsheet knows the encoding. */
export const LEDGER_CSV_HEAD = `\ufeff${csvHead(COLUMNS)}`;

/** For spreadsheets: money in whole units of its currency, and no cell that they would take for a formula. */
export const ledgerCsvLines = (rows: readonly LedgerRowView[]): string => csvLines(COLUMNS, rows.map(csvRow));

function csvRow({ amount, funds, plan, former_plan, ...row }: LedgerRowView) {
  const isMoney = row.currency !== null;
  return {
    ...row,
    event: eventWords(row.type),
    amount: isMoney ? amount : null,
    funds: isMoney ? funds : null,
    plan: plan && nameOfTier(plan),
    former_plan: former_plan && nameOfTier(former_plan),
  };
}
