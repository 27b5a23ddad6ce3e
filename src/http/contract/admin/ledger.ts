/** The ledger: the rows of all bills in one list, for admins. */
import * as z from 'zod';
import { LEDGER_FILTER_NAMES, LEDGER_FORMATS, LEDGER_KINDS } from '../../../model/ledger.ts';
import { EMAIL_MAX_LENGTH } from '../../../model/limits.ts';
import { TIERS } from '../../../model/tiers.ts';
import { Cursor, PageLimit } from '../paging.ts';
import { Day, inOrder, OUT_OF_ORDER } from './days.ts';

const filters = {
  kind: z.enum(LEDGER_FILTER_NAMES).optional(),
  /**
   * With an @: the beginning of a user's email. Otherwise exactly: a user's id, an invoice number, a promotion code, an
   * id of the payment provider, or the id of a job, also of a deleted one.
   */
  search: z.string().trim().max(EMAIL_MAX_LENGTH).optional(),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'It is the code of a currency, such as usd')
    .optional(),
  /** UTC days, both inclusive. */
  from: Day,
  to: Day,
};

export const LedgerQuery = z.object({ ...filters, limit: PageLimit, cursor: Cursor }).refine(inOrder, OUT_OF_ORDER);
export const LedgerSumsQuery = z.object(filters).refine(inOrder, OUT_OF_ORDER);
export const LedgerExportQuery = z
  .object({ ...filters, format: z.enum(LEDGER_FORMATS).optional() })
  .refine(inOrder, OUT_OF_ORDER);
export type LedgerFilters = z.output<typeof LedgerSumsQuery>;

const [, ...PAID_TIERS] = TIERS;
const Plan = z.enum(PAID_TIERS).nullable();

/** One event of a bill. */
export const LedgerRowView = z.object({
  /** Of the event. */
  id: z.string(),
  /** UTC ISO: when it was recorded. */
  at: z.string(),
  position: z.string(),
  /** The bill, and the number of the event in it. */
  stream: z.string(),
  revision: z.number().int(),
  /** Type of the event. */
  type: z.string(),
  kind: z.enum(LEDGER_KINDS),
  user_id: z.string(),
  /** Null: the account was deleted. */
  user_email: z.string().nullable(),
  /** Money paid (above zero) or given back (below), in the smallest unit of the currency. */
  amount: z.number().int(),
  currency: z.string().nullable(),
  /** By how much the user's funds changed, in the same unit. */
  funds: z.number().int(),
  /** By how many the user's credits changed. */
  credits: z.number().int(),
  plan: Plan,
  former_plan: Plan,
  code: z.string().nullable(),
  invoice_number: z.string().nullable(),
  /** Ids at the payment provider. The object is an invoice, a refund, or a dispute. */
  payment_id: z.string().nullable(),
  subscription_id: z.string().nullable(),
  object_id: z.string().nullable(),
  job_id: z.string().nullable(),
});
export type LedgerRowView = z.infer<typeof LedgerRowView>;

/**
 * How a search was understood. `payer`: the audit was not paid with money or credits, and the rows are those of its
 * owner.
 */
const Searched = z.enum(['email', 'value', 'customer', 'user', 'payer']).nullable();

export const LedgerResponse = z.object({
  success: z.literal(true),
  data: z.array(LedgerRowView),
  cursor: z.string().nullable(),
  searched: Searched,
});
export type LedgerResponse = z.infer<typeof LedgerResponse>;

/** Of one currency, as in the report Revenue. */
const Sums = z.object({
  currency: z.string(),
  payments: z.number().int(),
  paid: z.number().int(),
  refunded: z.number().int(),
  /** What disputes withhold: of those that were opened, less what was won. */
  disputed: z.number().int(),
  net: z.number().int(),
  /** By how much all funds changed. */
  funds: z.number().int(),
});
export type LedgerSums = z.infer<typeof Sums>;

export const LedgerSumsResponse = z.object({
  success: z.literal(true),
  /** Of all rows of the filter, not of one page. */
  data: z.object({
    rows: z.number().int(),
    currencies: z.array(Sums),
    credits: z.object({ granted: z.number().int(), used: z.number().int() }),
    /** By kind and currency. */
    kinds: z.array(
      z.object({
        kind: z.enum(LEDGER_KINDS),
        currency: z.string().nullable(),
        rows: z.number().int(),
        amount: z.number().int(),
      }),
    ),
    /** Every currency of the ledger, whatever the filter. */
    all_currencies: z.array(z.string()),
  }),
});
export type LedgerSumsResponse = z.infer<typeof LedgerSumsResponse>;

/** The last line. An answer without it is incomplete. */
const LedgerEndLine = z.object({ end: z.object({ rows: z.number().int() }) });

/** A line of an export as NDJSON. */
export const LedgerLine = z.union([LedgerRowView, LedgerEndLine]);
