/**
 * Calls the payment provider for a request: a refusal becomes an error response, and a slow call fails before the
 * handler times out.
 */
import type { Logger } from 'pino';
import { PaymentFault, type Payments } from '../../integrations/payments/payments.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { HttpError } from '../request/errors.ts';

/** Time limit for all provider calls of one request; shorter than the handler's. */
const TIMEOUT_MS = 20_000;

type ProviderCall = { readonly deps: Pick<HttpDeps, 'payments'>; readonly log: () => Logger };
/** `timeoutMs`: slower work continues in the background, but its result is ignored. */
type Terms = { readonly unavailable?: string; readonly timeoutMs?: number };

/**
 * @throws HttpError PAYMENTS_UNAVAILABLE, with the text of `unavailable`; PAYMENT_FAILED, with the provider's text;
 *   whatever else `work` throws
 */
export async function atProvider<T>(
  { deps: { payments }, log }: ProviderCall,
  work: (payments: Payments) => Promise<T>,
  {
    unavailable = 'Payments are not available at the moment. Please try again shortly.',
    timeoutMs = TIMEOUT_MS,
  }: Terms = {},
): Promise<T> {
  if (!payments) throw new HttpError('PAYMENTS_UNAVAILABLE', 'Nothing is sold here.');
  const late = (): HttpError => new HttpError('PAYMENTS_UNAVAILABLE', unavailable, { headers: { 'Retry-After': '5' } });
  try {
    return await within(timeoutMs, work(payments), late);
  } catch (error) {
    if (!(error instanceof PaymentFault)) throw error;
    if (error.fault === 'DECLINED') throw new HttpError('PAYMENT_FAILED', error.message);
    if (error.fault === 'UNAVAILABLE') log().warn({ err: error }, 'the payment provider is not available');
    else log().error({ err: error }, 'the payment provider refused what it was asked');
    throw late();
  }
}

function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
