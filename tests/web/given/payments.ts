/** The answers of the payment routes, and a buyer in front of the dialog. */
import { screen, within } from '@testing-library/react';
import type {
  CreateCheckoutSessionResponse,
  PaymentConfigResponse,
  ReportPriceResponse,
  ValidateDiscountResponse,
  VerifyPaymentResponse,
} from '../../../src/http/contract/payments.ts';
import type { Call, FakeServer } from './fakeServer.ts';
import { renderApp } from './renderApp.tsx';
import { statusResponse } from './views.ts';

export const AUTH = '/api/v1/auth';
const SANDBOX = 'http://127.0.0.1:12111';
export const CONFIRM = 'POST /v1/payment_intents/pi_1/confirm';
/** With the buyer's saved cards. */
export const SAVED = 'GET /v1/elements/sessions';
export const INTENT = 'GET /v1/payment_intents/pi_1';

export function config(mode: PaymentConfigResponse['data']['mode'] = 'sandbox'): PaymentConfigResponse {
  return {
    success: true,
    data: { publishable_key: 'pk_test_1', mode, sandbox_url: mode === 'sandbox' ? SANDBOX : null },
  };
}

export const price = (unit_amount = 5000): ReportPriceResponse => ({
  success: true,
  price: { id: 'price_1', unit_amount, currency: 'usd' },
});

export function code(over: Partial<Extract<ValidateDiscountResponse, { valid: true }>> = {}): ValidateDiscountResponse {
  return {
    success: true,
    valid: true,
    id: 'promo_1',
    code: 'SPRING',
    percentOff: 15,
    amountOff: null,
    currency: null,
    description: null,
    maxRedemptions: null,
    remainingRedemptions: null,
    expiresAt: null,
    ...over,
  };
}

export const BAD_CODE: ValidateDiscountResponse = { success: true, valid: false, error: 'Invalid discount code' };

export function session(amount: number, funds = amount, paymentIntentId = 'pi_1'): CreateCheckoutSessionResponse {
  return {
    success: true,
    clientSecret: `${paymentIntentId}_secret_1`,
    paymentIntentId,
    amount,
    currency: 'usd',
    funds,
  };
}

export function verified(over: Partial<VerifyPaymentResponse> = {}): VerifyPaymentResponse {
  return {
    success: true,
    already_processed: false,
    message: 'Payment received: $50.00 was added to your funds.',
    funds_added: 5000,
    funds_added_formatted: '$50.00',
    current_balance_formatted: '$50.00',
    ...over,
  };
}

/** The successful case: a sandbox that accepts any card. */
export function sells(server: FakeServer, mode: PaymentConfigResponse['data']['mode'] = 'sandbox'): void {
  server.on('GET /api/v1/status', statusResponse({ payments: mode }));
  server.on(`GET ${AUTH}/stripe-config`, config(mode));
  server.on(`GET ${AUTH}/stripe-price-info`, price());
  server.on(`GET ${AUTH}/customer-info`, { success: true, customer: null });
  server.on(`POST ${AUTH}/customer-session`, { success: true, clientSecret: null });
  server.on(`POST ${AUTH}/validate-discount`, code());
  server.on(`POST ${AUTH}/create-checkout-session`, ({ body }: Call) =>
    session((body as { quantity: number }).quantity * 5000),
  );
  server.on(`POST ${AUTH}/verify-payment-and-add-credits`, verified());
  server.on(CONFIRM, { status: 'succeeded' });
}

/** The dialog, opened from the header. */
export async function openPurchase(path = '/') {
  const app = renderApp(path);
  await app.user.click(await screen.findByRole('button', { name: /^Buy reports/ }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByRole('button', { name: /^Pay/ });
  return { ...app, dialog };
}

type User = Awaited<ReturnType<typeof openPurchase>>['user'];

/**
 * The control that a label of the dialog names. `getByLabelText` asks each of the dialog's 300 elements for its labels,
 * and jsdom searches the page for each.
 */
export function field(name: string): HTMLElement {
  const label: HTMLLabelElement = within(screen.getByRole('dialog')).getByText(name, { selector: 'label' });
  if (label.control === null) throw new Error(`"${name}" labels nothing.`);
  return label.control;
}

/** A valid card, with a name and an address. Typing key by key takes many times as long. */
export async function fillCard(
  user: User,
  over: Readonly<Record<string, string>> = {},
  by: 'pasting' | 'typing' = 'pasting',
): Promise<void> {
  await screen.findByText('Card number', { selector: 'label' });
  const entries = {
    'Card number': '4242 4242 4242 4242',
    'Expires (MM/YY)': '12/34',
    'Security code': '123',
    'Name on card': 'Ada Lovelace',
    Address: '1 Main Street',
    City: 'Springfield',
    'ZIP code': '62701',
    ...over,
  };
  for (const [label, value] of Object.entries(entries)) {
    const input = field(label);
    await user.clear(input);
    if (value) await (by === 'typing' ? user.type(input, value) : user.paste(value));
  }
  await user.selectOptions(field('State'), over.State ?? 'IL');
}

export const payButton = (): HTMLElement => within(screen.getByRole('dialog')).getByRole('button', { name: /^Pay/ });
export const total = (): string => screen.getByText('Total').nextElementSibling?.textContent ?? '';
