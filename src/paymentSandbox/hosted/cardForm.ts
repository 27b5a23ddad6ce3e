/** Reading card data from a hosted page's form. */
import { timingSafeEqual } from 'node:crypto';
import type { SandboxContext } from '../books/context.ts';
import type { PageSecret } from '../books/kinds.ts';
import type { MethodData } from '../payments/paymentMethods.ts';
import { ApiError } from '../server/apiError.ts';
import type { Form } from '../server/form.ts';

export const fieldOf = (form: Form, name: string): string => (typeof form[name] === 'string' ? form[name].trim() : '');

/** @throws ApiError when the date cannot be parsed */
export function cardOf(form: Form): MethodData {
  const expires = /^(\d{1,2})\s*\/\s*(\d{2})$/.exec(fieldOf(form, 'expires'));
  if (!expires)
    throw new ApiError(402, {
      type: 'card_error',
      code: 'invalid_expiry_month',
      message: 'Write the date as MM/YY.',
      param: 'exp_month',
    });
  return {
    type: 'card',
    card: {
      number: fieldOf(form, 'number'),
      exp_month: Number(expires[1]),
      exp_year: 2_000 + Number(expires[2]),
      cvc: fieldOf(form, 'cvc'),
    },
    billing_details: {
      name: fieldOf(form, 'name'),
      ...(fieldOf(form, 'email') === '' ? {} : { email: fieldOf(form, 'email') }),
    },
  };
}

/** Creates the secret known only to this page's forms. */
export function newSecret(context: SandboxContext, id: string, discounts: PageSecret['discounts'] = []): PageSecret {
  const secret: PageSecret = { id, token: context.newId('form'), discounts, paymentMethod: null };
  context.store.put('page_secret', secret);
  return secret;
}

/** Whether a form came from the page itself. */
export function isOurs(secret: PageSecret, form: Form): boolean {
  const given = Buffer.from(fieldOf(form, 'token'));
  const own = Buffer.from(secret.token);
  return given.length === own.length && timingSafeEqual(given, own);
}

/** A refusal is shown; any other error is a bug. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.status < 500) return error.message;
  throw error;
}
