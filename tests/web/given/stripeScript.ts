/**
 * Stands in for the provider's script (`window.Stripe`): it has what `@stripe/stripe-js` declares, as far as this app
 * uses it, and refuses options that are not in its types. The test plays the buyer and the provider.
 */
import type { PaymentIntentResult } from '@stripe/stripe-js';
import { vi } from 'vitest';
import { STRIPE_OPTIONS, type StripeOptions } from '../../given/stripe/options.ts';

function only(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) if (!known.includes(name)) throw new Error(`Stripe knows no option ${name}`);
}

export interface StripeScript {
  readonly keys: string[];
  /** Latest options, by element; `elements`: of all of them. */
  readonly options: Record<string, Record<string, unknown>>;
  readonly confirmed: Record<string, unknown>[];
  /** Whether the address is complete. */
  complete: boolean;
  /** The error of the card. */
  fault: string | null;
  result: () => Promise<PaymentIntentResult>;
  /** The buyer chooses a saved payment method; null: another one. */
  choose: (saved: string | null) => void;
}

const paid = { paymentIntent: { id: 'pi_1', status: 'succeeded' } } as PaymentIntentResult;
const fresh = (): StripeScript => ({
  keys: [],
  options: {},
  confirmed: [],
  complete: true,
  fault: null,
  result: async () => paid,
  choose: () => undefined,
});

/** The loader keeps the script that it found first: each test gets the same one, reset. */
const script = fresh();

export function stripeScript(): StripeScript {
  Object.assign(script, fresh());
  const made = new Map<string, { readonly getValue: () => Promise<object> }>();
  const elementOf = (type: keyof StripeOptions, given: Record<string, unknown>) => {
    only(given, STRIPE_OPTIONS[type]);
    script.options[type] = given;
    const listeners = new Map<string, (event: object) => void>();
    if (type === 'payment')
      script.choose = (saved) =>
        listeners.get('change')?.({
          elementType: type,
          value: { type: 'card', ...(saved === null ? {} : { payment_method: { id: saved } }) },
        });
    const element = {
      on: (event: string, listener: (event: object) => void) => listeners.set(event, listener) && element,
      off: () => element,
      mount: () => queueMicrotask(() => listeners.get('ready')?.({ elementType: type })),
      update: (more: object) => only(more, STRIPE_OPTIONS[type]),
      destroy: () => void made.delete(type),
      getValue: async () => ({ complete: script.complete }),
    };
    return element;
  };
  const elements = (given: Record<string, unknown>) => {
    only(given, STRIPE_OPTIONS.elements);
    script.options.elements = given;
    return {
      create: (type: keyof StripeOptions, options: Record<string, unknown> = {}) => {
        const element = elementOf(type, options);
        made.set(type, element);
        return element;
      },
      getElement: (type: string) => made.get(type) ?? null,
      update: async (more: object) => {
        only(more, STRIPE_OPTIONS.elements);
        script.options.elements = { ...script.options.elements, ...more };
      },
      submit: async () =>
        script.fault
          ? { error: { type: 'validation_error', message: script.fault } }
          : { selectedPaymentMethod: 'card' },
    };
  };
  vi.stubGlobal('Stripe', (key: string) => {
    script.keys.push(key);
    return {
      elements,
      confirmPayment: async ({ elements: _, ...asked }: Record<string, unknown>) => {
        script.confirmed.push(asked);
        return script.result();
      },
      retrievePaymentIntent: async () => paid,
      createToken: vi.fn(),
      createPaymentMethod: vi.fn(),
      confirmCardPayment: vi.fn(),
    };
  });
  return script;
}
