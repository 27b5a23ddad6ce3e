/** Words of the ledger: the rows of all bills in one list. */

/** What a row is. Each row is one event of a bill, and has one kind. */
export const LEDGER_KINDS = [
  /** Reports were bought. */
  'purchase',
  /** A plan started or changed, with its paid invoice. */
  'plan_invoice',
  /** A period of a plan was paid. */
  'renewal',
  'refund',
  'dispute',
  /** Credits were granted. */
  'credit',
  /** A credit was used for an audit, or given back. */
  'credit_use',
  /** Funds were used for an audit, or given back. */
  'funds_use',
  /** What a plan allows changed, and nothing was paid with it. */
  'plan',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** What an auditor filters by. A row may be of several: the start of a plan is a payment, an invoice, and a plan's. */
export const LEDGER_FILTERS = {
  payments: ['purchase', 'plan_invoice', 'renewal'],
  invoices: ['plan_invoice', 'renewal'],
  refunds: ['refund'],
  disputes: ['dispute'],
  credits: ['credit', 'credit_use'],
  audits: ['credit_use', 'funds_use'],
  plans: ['plan_invoice', 'renewal', 'plan'],
} as const satisfies Readonly<Record<string, readonly LedgerKind[]>>;
export type LedgerFilterName = keyof typeof LEDGER_FILTERS;
export const LEDGER_FILTER_NAMES = Object.keys(LEDGER_FILTERS) as [LedgerFilterName, ...LedgerFilterName[]];

/** Files that the ledger is exported as. */
export const LEDGER_FORMATS = ['csv', 'ndjson'] as const;
export type LedgerFormat = (typeof LEDGER_FORMATS)[number];

/** The most accounts whose rows a search by the beginning of an email shows together. */
export const LEDGER_USERS_MAX = 20;
