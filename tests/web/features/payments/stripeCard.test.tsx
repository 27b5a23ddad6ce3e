/** The provider's own fields, with a stand-in for its script. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { AUTH, field, openPurchase, payButton, sells, session } from '../../given/payments.ts';
import { signedInBefore } from '../../given/renderApp.tsx';
import { type StripeScript, stripeScript } from '../../given/stripeScript.ts';

const CREATE = `POST ${AUTH}/create-checkout-session`;

let server: FakeServer;
let stripe: StripeScript;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  sells(server, 'test');
  stripe = stripeScript();
});

const alerts = (): (string | null)[] =>
  within(screen.getByRole('dialog'))
    .queryAllByRole('alert')
    .map((alert) => alert.textContent);
const shown = () => waitFor(() => expect(stripe.options.address).toBeDefined());

describe('the provider’s fields', () => {
  it('ask for cards and US addresses, without a phone, and confirm the server’s payment', async () => {
    const address = {
      line1: '2 Elm Street',
      line2: null,
      city: 'Portland',
      state: 'OR',
      postal_code: '97201',
      country: 'US',
    };
    server.on(`GET ${AUTH}/customer-info`, { success: true, customer: { name: 'Ada L.', email: null, address } });
    const { user, dialog } = await openPurchase();
    await shown();
    expect(stripe.keys).toEqual(['pk_test_1']);
    expect(stripe.options.elements).toMatchObject({
      mode: 'payment',
      amount: 5000,
      currency: 'usd',
      setupFutureUsage: 'on_session',
    });
    expect(stripe.options.address).toEqual({
      mode: 'billing',
      allowedCountries: ['US'],
      blockPoBox: true,
      fields: { phone: 'never' },
      defaultValues: { name: 'Ada L.', address },
    });
    expect(stripe.options.payment).toEqual({ layout: 'tabs', fields: { billingDetails: { email: 'never' } } });
    await user.clear(field('Number of reports'));
    await user.type(field('Number of reports'), '2');
    await user.click(within(dialog).getByLabelText('Save this card for later purchases'));
    await user.click(payButton());
    await screen.findByText('Payment complete');
    expect(stripe.options.elements).toMatchObject({ amount: 10_000, setupFutureUsage: null });
    expect(server.asked(CREATE)[0]?.body).toMatchObject({ quantity: 2, savePaymentMethod: false });
    expect(stripe.confirmed).toEqual([
      {
        clientSecret: 'pi_1_secret_1',
        confirmParams: {
          return_url: location.href,
          payment_method_data: { billing_details: { email: 'ada@example.com' } },
        },
        redirect: 'if_required',
      },
    ]);
  });

  it('offer saved cards, which need no address and are not saved again', async () => {
    server.on(`POST ${AUTH}/customer-session`, { success: true, clientSecret: 'cuss_secret_1' });
    const { user, dialog } = await openPurchase();
    await shown();
    expect(stripe.options.elements).toMatchObject({ customerSessionClientSecret: 'cuss_secret_1' });
    act(() => stripe.choose('pm_1'));
    await waitFor(() => expect(within(dialog).queryByLabelText('Save this card for later purchases')).toBeNull());
    stripe.complete = false;
    stripe.result = async () => ({ error: { type: 'card_error', message: 'Your card was declined.' } });
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual(['Your card was declined.']));
    act(() => stripe.choose(null));
    expect(await within(dialog).findByLabelText('Save this card for later purchases')).toBeChecked();
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual(['Please complete all required billing fields']));
    expect(stripe.confirmed).toHaveLength(1);
    expect(server.asked(CREATE)).toHaveLength(1);
  });

  it('save a new card for reuse only if its owner agrees', async () => {
    const { user } = await openPurchase();
    await shown();
    await user.click(payButton());
    await screen.findByText('Payment complete');
    expect(stripe.confirmed).toMatchObject([{ confirmParams: { payment_method_data: { allow_redisplay: 'always' } } }]);
  });

  it('follow the theme', async () => {
    await openPurchase();
    await shown();
    expect(stripe.options.elements).toMatchObject({ appearance: { theme: 'stripe' } });
    document.documentElement.dataset.theme = 'dark';
    await waitFor(() => expect(stripe.options.elements).toMatchObject({ appearance: { theme: 'night' } }));
    delete document.documentElement.dataset.theme;
  });

  it('report missing input before anything is started', async () => {
    const { user } = await openPurchase();
    await shown();
    stripe.complete = false;
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual(['Please complete all required billing fields']));
    stripe.complete = true;
    stripe.fault = 'Your card number is incomplete.';
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual(['Your card number is incomplete.']));
    expect(server.asked(CREATE)).toEqual([]);
  });

  it('leave the form as it was when they break', async () => {
    const { user } = await openPurchase();
    await shown();
    const whole = Object.getOwnPropertyDescriptor(stripe, 'complete') ?? {};
    const gone = (): never => {
      throw new Error('the frame is gone');
    };
    Object.defineProperty(stripe, 'complete', { configurable: true, get: gone });
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual(['Payment system not ready. Please try again.']));
    Object.defineProperty(stripe, 'complete', whole);
    await user.click(payButton());
    await screen.findByText('Payment complete');
  });

  it('decline in the provider’s words, and retry the same payment', async () => {
    const paid = stripe.result;
    stripe.result = async () => ({ error: { type: 'card_error', message: 'Your card has insufficient funds.' } });
    const { user } = await openPurchase();
    await shown();
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual(['Your card has insufficient funds.']));
    stripe.result = paid;
    await user.click(payButton());
    await screen.findByText('Payment complete');
    expect(server.asked(CREATE)).toHaveLength(1);
  });

  it('leave it to the provider to say what was paid after a break', async () => {
    stripe.result = () => Promise.reject(new Error('the network is gone'));
    const { user } = await openPurchase();
    await shown();
    await user.click(payButton());
    await screen.findByText('Payment complete');
  });

  it('confirm the server’s sum, once it has been shown', async () => {
    server.on(CREATE, session(4000, 5000));
    const { user } = await openPurchase();
    await shown();
    await user.click(payButton());
    expect(await screen.findByText('The total is $40.00. Please check it, then pay.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Pay $40.00' }));
    await screen.findByText('Payment complete');
    expect(stripe.options.elements).toMatchObject({ amount: 4000 });
  });
});
