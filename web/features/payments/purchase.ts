/** Texts and arithmetic of a purchase, independent of the UI. */
import { EMAIL_INVALID, isEmailAddress, withAsciiDomain } from '../../../src/model/emailAddress.ts';
import {
  type Discount,
  FALLBACK_REPORT_PRICE,
  MAX_QUANTITY,
  MINIMUM_TOTAL,
  type PurchaseSums,
  purchaseSums,
} from '../../../src/model/purchase.ts';
import { type ApiFailure, asFailure } from '../../api/failure.ts';
import type { CheckedCode, ReportPrice } from './paymentsApi.ts';

/** The steps between 'ready' and the end are in progress; `unsettled`: charged, but not known to be credited. */
export type Step = 'ready' | 'checking' | 'creating' | 'confirming' | 'verifying' | 'unsettled' | 'done';

export const NOT_READY = 'Payment system not ready. Please try again.';
export const BAD_QUANTITY = `Please enter a number of reports from 1 to ${MAX_QUANTITY}`;
export const BAD_EMAIL = EMAIL_INVALID;

/** Null when it is not a valid quantity for one purchase. */
export function quantityOf(text: string): number | null {
  const quantity = /^\s*\d{1,2}\s*$/.test(text) ? Number(text) : 0;
  return quantity >= 1 && quantity <= MAX_QUANTITY ? quantity : null;
}

/** How many more a refused submission needs. */
export const missingReports = (required: number, available: number): number =>
  Math.min(MAX_QUANTITY, Math.max(1, required - available));

export const isEmail = (text: string): boolean => isEmailAddress(withAsciiDomain(text.trim()));

export interface ShownSums extends PurchaseSums {
  readonly currency: string;
  readonly unitAmount: number;
  /** The discounted total is below the minimum that can be charged. */
  readonly atMinimum: boolean;
}

/** Null price: not loaded yet, or unavailable. */
export function sumsOf(quantity: number, price: ReportPrice | null, code: CheckedCode | null): ShownSums {
  const { unit_amount: unitAmount, currency } = price ?? {
    unit_amount: FALLBACK_REPORT_PRICE.amount,
    currency: FALLBACK_REPORT_PRICE.currency,
  };
  const sums = purchaseSums(quantity, { amount: unitAmount, currency }, code && discountOf(code, currency));
  return { ...sums, currency, unitAmount, atMinimum: sums.subtotal - sums.discount < MINIMUM_TOTAL };
}

function discountOf({ percentOff, amountOff, currency }: CheckedCode, ofPrice: string): Discount | null {
  if (percentOff !== null) return { percentOff };
  return amountOff === null ? null : { amountOff, currency: currency ?? ofPrice };
}

/**
 * Text of a failed call: the server's message, or one text for a response without a message and one for no response.
 */
export function failureText(error: unknown, answered: string, thrown: string): string {
  const failure = asFailure(error);
  return wasLost(failure) ? thrown : failure.message || answered;
}

/** Whether the server confirmed that nothing was paid, so that the payment can be retried. */
export const isUnpaid = ({ code, reason }: ApiFailure): boolean =>
  code === 'PAYMENT_NOT_FOUND' || (code === 'PAYMENT_NOT_SUCCEEDED' && reason !== 'processing');

const wasLost = ({ status, code }: ApiFailure): boolean => status === 0 || code === 'INVALID_RESPONSE';
