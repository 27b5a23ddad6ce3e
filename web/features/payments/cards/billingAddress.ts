/** The sandbox form's billing address, with the same rules as the provider's field: US only, no PO boxes, no phone. */
import type { CustomerInfo } from '../paymentsApi.ts';
import { MISSING } from './cardHandle.ts';

export const BILLING_FIELDS = ['name', 'line1', 'line2', 'city', 'state', 'postal_code'] as const;
export type BillingField = (typeof BILLING_FIELDS)[number];
export type BillingAddress = Readonly<Record<BillingField, string>>;

export const NO_PO_BOX = 'We can’t bill to a PO box. Please enter a street address.';
const POSTAL_CODE = 'Please enter a ZIP code of 5 or 9 digits';

const PO_BOX = /\b(p\.?\s*o\.?|post\s+office)\s*box\b/i;

/** Errors by field; empty when complete. */
export function billingProblems(address: BillingAddress): Partial<Record<BillingField, string>> {
  const problems: Partial<Record<BillingField, string>> = {};
  for (const field of BILLING_FIELDS) if (field !== 'line2' && address[field].trim() === '') problems[field] = MISSING;
  for (const line of ['line1', 'line2'] as const) if (PO_BOX.test(address[line])) problems[line] = NO_PO_BOX;
  if (!problems.postal_code && !/^\d{5}(-?\d{4})?$/.test(address.postal_code.trim()))
    problems.postal_code = POSTAL_CODE;
  return problems;
}

/** An address in another country is not used, as it would be refused. */
export function addressOf(customer: CustomerInfo | null): BillingAddress {
  const known = customer?.address?.country === 'US' ? customer.address : null;
  const { line1, line2, city, state, postal_code } = known ?? {};
  return {
    name: customer?.name ?? '',
    line1: line1 ?? '',
    line2: line2 ?? '',
    city: city ?? '',
    postal_code: postal_code ?? '',
    state: US_STATES.some(([code]) => code === state) ? (state ?? '') : '',
  };
}

const NAMES =
  'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|' +
  'ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|' +
  'MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|' +
  'OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|' +
  'WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|MP Northern Mariana Islands|PR Puerto Rico|VI US Virgin Islands';

export const US_STATES: readonly (readonly [code: string, name: string])[] = NAMES.split('|').map(
  (row) => [row.slice(0, 2), row.slice(3)] as const,
);
