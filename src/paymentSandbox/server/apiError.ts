/** Errors in Stripe's words and format. */
import type Stripe from 'stripe';

export type ErrorDetails = {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly message: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly advice_code?: string;
  readonly param?: string;
  readonly charge?: string;
  readonly payment_intent?: Stripe.PaymentIntent;
  readonly setup_intent?: Stripe.SetupIntent;
  readonly payment_method?: Stripe.PaymentMethod;
};

export class ApiError extends Error {
  /** Changes are kept, such as the failed charge of a declined card. */
  readonly kept: boolean;
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(status: number, details: ErrorDetails, { kept = false } = {}) {
    super(details.message);
    this.status = status;
    this.details = details;
    this.kept = kept;
  }

  /** The response body. */
  body(requestId: string): object {
    const { code } = this.details;
    const more =
      code === undefined ? {} : { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` };
    return {
      error: { ...this.details, ...more, request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}` },
    };
  }
}

/** 400 with a code. */
export function invalid(message: string, code?: string, param?: string): ApiError {
  return new ApiError(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

/** A named object does not exist: 404 if the path named it, otherwise 400. */
export function missing(name: string, id: string, param: string): ApiError {
  const object = name.replaceAll('_', ' ').replace('checkout.session', 'checkout.session');
  return new ApiError(param === 'id' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${object.replaceAll(' ', '_')}: '${id}'`,
    param,
  });
}
