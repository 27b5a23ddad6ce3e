/** The HTTP side with payments: the real adapter, on its own payment sandbox that shares the app's clock. */
import type { PaymentSandboxOptions } from '../../../src/paymentSandbox/paymentSandbox.ts';
import { type GivenPayments, givenPayments } from '../payments.ts';
import { givenSso } from '../sso.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from './http.ts';

export type Shop = TestApp & {
  readonly provider: GivenPayments;
  /** Both clocks. */
  pass(days: number): Promise<void>;
  /** Makes every call to the provider fail whose method and path contain this. */
  breakDown(match?: string): Promise<void>;
  mend(): Promise<void>;
  /** A discount code. */
  coupon(
    code: string,
    off: { readonly percent_off: number } | { readonly amount_off: number; readonly currency: string },
    more?: object,
  ): Promise<void>;
  /** Fills in a checkout page as a person does. */
  payAt(pageUrl: string, number?: string): Promise<{ readonly status: number; readonly location: string | null }>;
  customerOf(user: TestUser): Promise<string>;
};

/** The start time of `startTestApp`. */
const START_TIME = Date.UTC(2026, 2, 10, 12);
const DAY_MS = 86_400_000;

/** The first user is the admin, so that other users are not. */
export async function openShop({
  sandbox,
  ...options
}: TestAppOptions & { readonly sandbox?: Partial<PaymentSandboxOptions> } = {}): Promise<Shop> {
  const provider = await givenPayments({ sandbox: { clock: () => START_TIME, ...sandbox } });
  const app = await startTestApp({ ...options, deps: { payments: provider.payments, sso: givenSso, ...options.deps } });
  await app.signUp({ email: 'admin@example.com' });
  return {
    ...app,
    provider,
    pass: async (days) => {
      app.advance(days * DAY_MS);
      await provider.sandbox.advance(days);
    },
    breakDown: async (match = '') =>
      void (await provider.sandbox.faults({ effect: 'server_error', ...(match ? { match } : {}) })),
    mend: async () => void (await provider.sandbox.faults()),
    coupon: async (code, off, more = {}) => {
      const { id } = await provider.stripe.coupons.create({ id: code.toLowerCase(), ...off, duration: 'once' });
      await provider.stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: id }, code, ...more });
    },
    payAt: async (pageUrl, number = '4242 4242 4242 4242') => {
      const token = /name="token" value="([^"]+)"/.exec(await (await fetch(pageUrl)).text())?.[1] ?? '';
      const body = new URLSearchParams({ token, do: 'pay', name: 'Ada', number, expires: '12/34', cvc: '123' });
      const answer = await fetch(pageUrl, { method: 'POST', body, redirect: 'manual' });
      return { status: answer.status, location: answer.headers.get('location') };
    },
    customerOf: async ({ userId }) => {
      const { data } = await provider.stripe.customers.list({ limit: 100 });
      return data.find(({ metadata }) => metadata.user_id === userId)?.id ?? '';
    },
    close: async () => {
      await app.close();
      await provider.end();
    },
  };
}
