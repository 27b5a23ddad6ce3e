/** A second purchase with the sandbox's form: saved details are not typed again. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, NetworkDown } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { AUTH, CONFIRM, field, fillCard, INTENT, openPurchase, payButton, SAVED, sells } from '../../given/payments.ts';
import { signedInBefore } from '../../given/renderApp.tsx';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  sells(server);
});

const ADDRESS = {
  line1: '1 Main Street',
  line2: null,
  city: 'Springfield',
  state: 'IL',
  postal_code: '62701',
  country: 'US',
};

describe('name and address', () => {
  it('are prefilled after a purchase', async () => {
    const { user } = await openPurchase();
    await fillCard(user);
    await user.click(payButton());
    await screen.findByText('Payment complete');
    server.on(`GET ${AUTH}/customer-info`, {
      success: true,
      customer: { name: 'Ada Lovelace', email: 'ada@example.com', address: ADDRESS },
    });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await user.click(screen.getByRole('button', { name: /^Buy reports/ }));
    await screen.findByLabelText('Card number');
    const shown = {
      'Name on card': 'Ada Lovelace',
      Address: '1 Main Street',
      City: 'Springfield',
      State: 'IL',
      'ZIP code': '62701',
    };
    for (const [label, value] of Object.entries(shown)) expect(field(label)).toHaveValue(value);
  });
});

describe('saved cards', () => {
  const CREATE = `POST ${AUTH}/create-checkout-session`;
  const card = (id: string, brand: string, last4: string) => ({
    id,
    card: { brand, last4, exp_month: 3, exp_year: 2034 },
  });
  const alerts = () => within(screen.getByRole('dialog')).queryAllByRole('alert');
  const SAVE = 'Save this card for later purchases';

  beforeEach(() => {
    server.on(`POST ${AUTH}/customer-session`, { success: true, clientSecret: 'cuss_secret_1' });
    server.on(SAVED, {
      customer: { payment_methods: [card('pm_2', 'visa', '4242'), card('pm_1', 'mastercard', '4444')] },
    });
  });

  it('are offered, and need no typing', async () => {
    const { user } = await openPurchase();
    expect(await screen.findByRole('radio', { name: /^Visa ending in 4242/ })).toBeChecked();
    expect(server.asked(SAVED).map(({ query, token }) => [query.get('customer_session_client_secret'), token])).toEqual(
      [['cuss_secret_1', 'pk_test_1']],
    );
    expect([
      screen.queryByLabelText('Card number'),
      screen.queryByLabelText('Address'),
      screen.queryByLabelText(SAVE),
    ]).toEqual([null, null, null]);
    await user.click(screen.getByLabelText(/^Mastercard ending in 4444/));
    await user.click(payButton());
    await screen.findByText('Payment complete');
    expect(server.asked(CONFIRM).map(({ body }) => body)).toEqual([
      { client_secret: 'pi_1_secret_1', payment_method: 'pm_1' },
    ]);
  });

  it('that are declined can be replaced by another card, in the same payment', async () => {
    server.on(CONFIRM, { error: { message: 'Your card was declined.' } });
    const { user } = await openPurchase();
    await screen.findByLabelText(/^Visa ending in 4242/);
    await user.click(payButton());
    await waitFor(() => expect(alerts().map(({ textContent }) => textContent)).toEqual(['Your card was declined.']));
    server.on(CONFIRM, { status: 'succeeded' });
    await user.click(screen.getByLabelText('Use another card'));
    expect(await screen.findByLabelText(SAVE)).toBeChecked();
    await fillCard(user);
    await user.click(payButton());
    await screen.findByText('Payment complete');
    expect(server.asked(CONFIRM)[1]?.body).toMatchObject({ 'payment_method_data[card][number]': '4242424242424242' });
    expect(server.asked(CREATE)).toHaveLength(1);
  });

  it('open the bank’s page if required', async () => {
    server.on(CONFIRM, {
      status: 'requires_action',
      next_action: { redirect_to_url: { url: 'http://127.0.0.1:12111/challenge/pi_1' } },
    });
    server.on(INTENT, { status: 'succeeded' });
    const { user } = await openPurchase();
    await screen.findByLabelText(/^Visa ending in 4242/);
    await user.click(payButton());
    await screen.findByRole('link', { name: 'Open authentication page' });
    await screen.findByText('Payment complete');
  });

  it('that cannot be loaded leave the form for a new card', async () => {
    server.on(SAVED, () => {
      throw new NetworkDown();
    });
    await openPurchase();
    expect(await screen.findByLabelText('Card number')).toBeVisible();
    expect(screen.queryByRole('radio')).toBeNull();
  });
});
