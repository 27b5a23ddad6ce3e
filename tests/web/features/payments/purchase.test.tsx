/** Buying reports, from the button in the header to the funds in the account, with the sandbox's form. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../../given/fakeServer.ts';
import { fakeSockets, goLive } from '../../given/fakeSocket.ts';
import {
  AUTH,
  BAD_CODE,
  CONFIRM,
  code,
  field,
  fillCard,
  INTENT,
  openPurchase,
  payButton,
  price,
  sells,
  session,
  total,
  verified,
} from '../../given/payments.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { jobsResponse, position, profileResponse, subscriptionResponse } from '../../given/views.ts';

const CREATE = `POST ${AUTH}/create-checkout-session`;
const VERIFY = `POST ${AUTH}/verify-payment-and-add-credits`;
const VALIDATE = `POST ${AUTH}/validate-discount`;

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  sells(server);
});

const down = (): never => {
  throw new NetworkDown();
};
const alerts = (): (string | null)[] =>
  within(screen.getByRole('dialog'))
    .queryAllByRole('alert')
    .map((alert) => alert.textContent);

/** Answers when released. */
function held(answer: unknown): { readonly reply: () => Promise<unknown>; readonly release: () => void } {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { reply: () => gate.then(() => answer), release: () => release() };
}

describe('a purchase', () => {
  it('charges the card once and shows the added funds', async () => {
    const { user, dialog } = await openPurchase();
    expect(field('Number of reports')).toHaveValue(1);
    expect(field('Billing email')).toHaveValue('ada@example.com');
    expect(within(dialog).getByLabelText('Save this card for later purchases')).toBeChecked();
    expect(await within(dialog).findByText('Payment sandbox: no real card is charged, no money moves.')).toBeVisible();
    for (const card of ['4242 4242 4242 4242', '4000 0000 0000 0002', '4000 0000 0000 9995', '4000 0027 6000 3184'])
      await within(dialog).findByText(card);
    await user.clear(field('Number of reports'));
    await user.type(field('Number of reports'), '3');
    await user.type(field('Discount code (optional)'), ' spring ');
    server.on(CREATE, session(12_750, 15_000));
    server.on(
      VERIFY,
      verified({ funds_added: 15_000, funds_added_formatted: '$150.00', current_balance_formatted: '$150.00' }),
    );
    await fillCard(user, {}, 'typing');
    await user.dblClick(payButton());
    expect(await screen.findByRole('heading', { name: 'Payment complete' })).toBeVisible();
    const shown = screen.getByRole('dialog');
    expect(shown).toHaveTextContent('Payment received: $50.00 was added to your funds.');
    expect(shown).toHaveTextContent('Added$150.00Balance$150.00');
    expect(server.asked(VALIDATE).map(({ body, token }) => [body, token])).toEqual([
      [{ code: 'spring' }, 'session-1.access'],
    ]);
    expect(server.asked(CREATE).map(({ body }) => body)).toEqual([
      {
        priceId: 'price_1',
        quantity: 3,
        discountCode: 'SPRING',
        savePaymentMethod: true,
        billingEmail: 'ada@example.com',
      },
    ]);
    expect(server.asked(CONFIRM).map(({ body, token }) => [body, token])).toEqual([
      [
        {
          client_secret: 'pi_1_secret_1',
          'payment_method_data[type]': 'card',
          'payment_method_data[card][number]': '4242424242424242',
          'payment_method_data[card][exp_month]': '12',
          'payment_method_data[card][exp_year]': '2034',
          'payment_method_data[card][cvc]': '123',
          'payment_method_data[billing_details][name]': 'Ada Lovelace',
          'payment_method_data[billing_details][email]': 'ada@example.com',
          'payment_method_data[billing_details][address][line1]': '1 Main Street',
          'payment_method_data[billing_details][address][city]': 'Springfield',
          'payment_method_data[billing_details][address][state]': 'IL',
          'payment_method_data[billing_details][address][postal_code]': '62701',
          'payment_method_data[billing_details][address][country]': 'US',
          'payment_method_data[allow_redisplay]': 'always',
        },
        'pk_test_1',
      ],
    ]);
    expect(server.asked(VERIFY).map(({ body }) => body)).toEqual([{ paymentIntentId: 'pi_1', discountCode: 'SPRING' }]);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is not started by Enter in the code field, which applies the code', async () => {
    const { user } = await openPurchase();
    await fillCard(user);
    await user.type(field('Discount code (optional)'), 'spring{Enter}');
    expect(await screen.findByText(/^SPRING: /)).toBeVisible();
    expect(server.asked(CREATE)).toHaveLength(0);
  });

  it('shows its progress, and cannot be closed while the card is charged', async () => {
    const [creating, confirming, verifying] = [held(session(5000)), held({ status: 'succeeded' }), held(verified())];
    server.on(CREATE, creating.reply);
    server.on(CONFIRM, confirming.reply);
    server.on(VERIFY, verifying.reply);
    const { user } = await openPurchase();
    await fillCard(user);
    await user.click(payButton());
    expect(await screen.findByRole('button', { name: 'Preparing payment…' })).toHaveAttribute('aria-busy', 'true');
    await act(async () => creating.release());
    expect(await screen.findByRole('button', { name: 'Confirming payment…' })).toBeVisible();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
    await act(async () => confirming.release());
    expect(await screen.findByRole('button', { name: 'Adding your funds…' })).toBeVisible();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeVisible();
    await act(async () => verifying.release());
    expect(await screen.findByText('Payment complete')).toBeVisible();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(server.asked(CONFIRM)).toHaveLength(1);
  });

  it('updates the balance at once, and then to the server’s value', async () => {
    const { user } = await openPurchase();
    await fillCard(user);
    const bill = subscriptionResponse();
    bill.data.balance = { ...bill.data.balance, funds: 5000, currency: 'usd', paysNext: 'funds' };
    const status = held(bill);
    server.on('GET /api/v1/subscription/status', status.reply);
    server.on('GET /api/v1/auth/profile', profileResponse({}, { funds: 5000 }));
    const asked = server.asked('GET /api/v1/auth/profile').length;
    await user.click(payButton());
    await screen.findByText('Payment complete');
    expect(screen.getByText('Buy reports', { selector: 'header span' }).closest('button')).toHaveTextContent(
      'Buy reports $50.00',
    );
    await waitFor(() => expect(server.asked('GET /api/v1/auth/profile')).toHaveLength(asked + 1));
    await act(async () => status.release());
    expect(screen.getByText('Buy reports', { selector: 'header span' }).closest('button')).toHaveTextContent(
      'Buy reports $50.00',
    );
  });

  it('in another browser updates the balance here', async () => {
    renderApp('/');
    await screen.findByRole('button', { name: 'Buy reports' });
    await waitFor(() => sockets.latest());
    await goLive(sockets.latest());
    const { data } = subscriptionResponse();
    const row = {
      user_id: 'user-1',
      ...data,
      balance: { ...data.balance, credits: 2, funds: 15_000, currency: 'usd', plan: 'tier2' },
      position: position(9),
    };
    await act(async () =>
      sockets.latest().says({
        type: 'event',
        channel: 'billing',
        table: 'billing',
        eventType: 'UPDATE',
        new: row,
        old: null,
        position: position(9),
      }),
    );
    expect(await screen.findByRole('button', { name: 'Buy reports Professional · 2 credits · $150.00' })).toBeVisible();
  });
});

describe('sums', () => {
  it('are shown with balance before and after, and follow the input', async () => {
    server.on(`GET ${AUTH}/stripe-price-info`, price(3333));
    server.on(VALIDATE, code({ percentOff: 12.5 }));
    const { user, dialog } = await openPurchase();
    expect(await within(dialog).findByText('Subtotal (1 report at $33.33)')).toBeVisible();
    expect(within(dialog).getByText('Balance now').parentElement).toHaveTextContent('$0.00');
    expect(within(dialog).getByText('Balance after').parentElement).toHaveTextContent('$33.33');
    await user.type(field('Discount code (optional)'), 'spring');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    expect(await screen.findByText('SPRING: 12.5% off')).toBeVisible();
    expect(within(dialog).getByText('Discount').parentElement).toHaveTextContent('−$4.17');
    expect(total()).toBe('$29.16');
    expect(payButton()).toHaveTextContent('Pay $29.16');
    await user.type(field('Number of reports'), '0');
    expect(total()).toBe('$291.64');
    await user.type(field('Discount code (optional)'), 'x');
    expect(total()).toBe('$333.30');
  });

  it('use 50 dollars a report until the price is known, and never go below 50 cents', async () => {
    server.on(`GET ${AUTH}/stripe-price-info`, down);
    server.on(VALIDATE, code({ percentOff: null, amountOff: 6000, currency: 'usd' }));
    const { user } = await openPurchase();
    expect(total()).toBe('$50.00');
    await user.type(field('Discount code (optional)'), 'free');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    expect(await screen.findByText('SPRING: $60.00 off each report')).toBeVisible();
    expect(total()).toBe('$0.50');
    expect(screen.getByText('Minimum charge').parentElement).toHaveTextContent('$0.50');
  });

  it('are the server’s before anything is charged', async () => {
    server.on(CREATE, session(6000, 6000));
    const { user } = await openPurchase();
    await fillCard(user);
    await user.click(payButton());
    expect(await screen.findByText('The total is $60.00. Please check it, then pay.')).toBeVisible();
    expect(total()).toBe('$60.00');
    expect(server.asked(CONFIRM)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Pay $60.00' }));
    await screen.findByText('Payment complete');
    expect(server.asked(CREATE)).toHaveLength(1);
  });
});

describe('the form', () => {
  it.each(['0', '21', '1.5', '-3', ''])('refuses %j as a number of reports', async (text) => {
    const { user } = await openPurchase();
    await fillCard(user);
    await user.clear(field('Number of reports'));
    if (text) await user.type(field('Number of reports'), text);
    await user.click(payButton());
    expect(alerts()).toContain('Please enter a number of reports from 1 to 20');
    expect(field('Number of reports')).toHaveFocus();
    expect(server.asked(CREATE)).toEqual([]);
  });

  it('requires an email, a card, a name and an address in the US', async () => {
    const { user } = await openPurchase();
    await screen.findByLabelText('Card number');
    await user.clear(field('Billing email'));
    await user.type(field('Billing email'), 'ada');
    await user.click(payButton());
    expect(alerts()).toEqual(['Please enter a valid email address']);
    await user.type(field('Billing email'), '@example.com');
    await user.click(payButton());
    await waitFor(() => expect(field('Card number')).toHaveFocus());
    expect(alerts()).toEqual(['Please complete all required billing fields']);
    expect(field('Security code')).toHaveAccessibleDescription('Required');
    expect(field('State')).toHaveAccessibleDescription('Required');
    await fillCard(user, { Address: 'P.O. Box 12', 'ZIP code': '123', 'Expires (MM/YY)': 'soon' });
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual(['Please enter the date as MM/YY']));
    expect(field('Expires (MM/YY)')).toHaveAccessibleDescription('Please enter the date as MM/YY');
    expect(field('Address')).toHaveAccessibleDescription('We can’t bill to a PO box. Please enter a street address.');
    expect(field('ZIP code')).toHaveAccessibleDescription('Please enter a ZIP code of 5 or 9 digits');
    expect(server.asked(CREATE)).toEqual([]);
    expect(within(screen.getByRole('dialog')).queryByLabelText(/phone/i)).toBeNull();
  });

  it('is prefilled from the provider, unless the address is of another country', async () => {
    const address = {
      line1: '2 Elm Street',
      line2: 'Flat 3',
      city: 'Portland',
      state: 'OR',
      postal_code: '97201',
      country: 'US',
    };
    server.on(`GET ${AUTH}/customer-info`, {
      success: true,
      customer: { name: 'Ada L.', email: 'billing@example.com', address },
    });
    await openPurchase();
    await screen.findByLabelText('Card number');
    expect(field('Billing email')).toHaveValue('billing@example.com');
    expect(
      [field('Name on card'), field('Address'), field('State'), field('ZIP code')].map(
        (shown) => (shown as HTMLInputElement).value,
      ),
    ).toEqual(['Ada L.', '2 Elm Street', 'OR', '97201']);
  });
});

describe('errors', () => {
  it('loading: the dialog says so, and offers a retry', async () => {
    server.on(`GET ${AUTH}/stripe-config`, refusal(503, 'Payments are not available.', 'PAYMENTS_UNAVAILABLE'));
    const { user } = renderApp('/');
    await user.click(await screen.findByRole('button', { name: /^Buy reports/ }));
    expect(await screen.findByText('Failed to load payment system. Please try again.')).toBeVisible();
    sells(server);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    await screen.findByRole('button', { name: /^Pay/ });
  });

  it.each([
    [BAD_CODE, 'Invalid discount code'],
    [{ success: true, valid: false, error: '' }, 'Invalid discount code'],
    [refusal(429, 'Too many tries. Please wait.'), 'Too many tries. Please wait.'],
    [down, 'Failed to validate discount code'],
  ])('the code: %j', async (answer, text) => {
    server.on(VALIDATE, answer);
    const { user } = await openPurchase();
    await fillCard(user);
    await user.type(field('Discount code (optional)'), 'spring');
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual([text]));
    expect(server.asked(CREATE)).toEqual([]);
    await waitFor(() => expect(field('Discount code (optional)')).toHaveFocus());
    await user.clear(field('Discount code (optional)'));
    await user.click(payButton());
    await screen.findByText('Payment complete');
    expect(server.asked(CREATE)[0]?.body).toMatchObject({ discountCode: null });
  });

  it.each([
    [{ status: 500, body: {} }, 'Failed to create payment intent'],
    [refusal(400, 'There is no such price.', 'PRICE_UNKNOWN'), 'There is no such price.'],
    [refusal(400, 'Invalid discount code', 'DISCOUNT_INVALID'), 'Invalid discount code'],
    [down, 'Failed to initialize payment'],
  ])('the checkout: %j', async (answer, text) => {
    server.on(CREATE, answer);
    const { user } = await openPurchase();
    await fillCard(user);
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual([text]));
    sells(server);
    await user.click(payButton());
    await screen.findByText('Payment complete');
  });

  it('the card: in the provider’s words, with the input kept and the same payment retried', async () => {
    server.on(CONFIRM, { status: 402, body: { error: { type: 'card_error', message: 'Your card was declined.' } } });
    const { user } = await openPurchase();
    await fillCard(user, { 'Card number': '4000 0000 0000 0002' });
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual(['Your card was declined.']));
    expect(field('Card number')).toHaveValue('4000 0000 0000 0002');
    server.on(CONFIRM, { status: 'succeeded' });
    await user.clear(field('Card number'));
    await user.type(field('Card number'), '4242424242424242');
    await user.click(payButton());
    await screen.findByText('Payment complete');
    expect(server.asked(CREATE)).toHaveLength(1);
  });

  it.each([
    ['incorrect_number', 'Card number'],
    ['invalid_expiry_year', 'Expires (MM/YY)'],
    ['incorrect_cvc', 'Security code'],
  ])('the card, for one of its fields: %s marks and focuses it', async (code, name) => {
    server.on(CONFIRM, { status: 402, body: { error: { type: 'card_error', code, message: 'That is wrong.' } } });
    const { user } = await openPurchase();
    await fillCard(user);
    await user.click(payButton());
    await waitFor(() => expect(field(name)).toHaveFocus());
    expect(field(name)).toHaveAccessibleDescription('That is wrong.');
    expect(alerts()).toEqual(['That is wrong.']);
    await user.clear(field('Number of reports'));
    await user.click(payButton());
    expect(alerts()).toEqual(['Please enter a number of reports from 1 to 20']);
  });

  it('another order is another payment', async () => {
    server.on(CONFIRM, { status: 402, body: { error: { message: 'Your card was declined.' } } });
    const { user } = await openPurchase();
    await fillCard(user);
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual(['Your card was declined.']));
    await user.type(field('Number of reports'), '0');
    await user.click(payButton());
    await waitFor(() =>
      expect(server.asked(CREATE).map(({ body }) => (body as { quantity: number }).quantity)).toEqual([1, 10]),
    );
  });

  it('the provider’s answer is lost: it is asked about the payment', async () => {
    server.on(CONFIRM, down);
    server.on(INTENT, { status: 'succeeded' });
    const { user } = await openPurchase();
    await fillCard(user);
    await user.click(payButton());
    await screen.findByText('Payment complete');
  });

  it.each([
    [down, 'Payment succeeded but credit addition failed. Please contact support.'],
    [{ status: 500, body: {} }, 'Failed to verify payment and add credits'],
    [
      refusal(409, 'Your payment is still being processed. It will be added when it arrives.', 'PAYMENT_NOT_SUCCEEDED'),
      'Your payment is still being processed. It will be added when it arrives.',
    ],
  ])('the funds do not arrive: %j', async (answer, text) => {
    server.on(VERIFY, answer);
    const { user } = await openPurchase();
    await fillCard(user);
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual([text]));
    expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
    server.on(VERIFY, verified({ already_processed: true }));
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    await screen.findByText('Payment complete');
    expect([server.asked(CREATE).length, server.asked(CONFIRM).length]).toEqual([1, 1]);
  });
});

describe('3-D Secure', () => {
  const asks = {
    status: 'requires_action',
    next_action: { redirect_to_url: { url: 'http://127.0.0.1:12111/challenge/pi_1' } },
  };

  it('is confirmed on the bank’s page and awaited here', async () => {
    let status: object = asks;
    server.on(CONFIRM, asks);
    server.on(INTENT, () => status);
    const { user } = await openPurchase();
    await fillCard(user, { 'Card number': '4000 0027 6000 3184' });
    await user.click(payButton());
    const link = await screen.findByRole('link', { name: 'Open authentication page' });
    expect(link).toHaveAttribute('href', 'http://127.0.0.1:12111/challenge/pi_1');
    expect(link).toHaveFocus();
    await waitFor(() => expect(server.asked(INTENT)).not.toEqual([]));
    status = { status: 'succeeded' };
    await screen.findByText('Payment complete');
  });

  it('that failed or was cancelled returns to the form', async () => {
    server.on(CONFIRM, asks);
    server.on(INTENT, {
      status: 'requires_payment_method',
      last_payment_error: { message: 'The provided PaymentMethod has failed authentication.' },
    });
    const { user } = await openPurchase();
    await fillCard(user);
    await user.click(payButton());
    await waitFor(() => expect(alerts()).toEqual(['The provided PaymentMethod has failed authentication.']));
    server.on(INTENT, asks);
    await user.click(payButton());
    await user.click(await screen.findByRole('button', { name: 'Cancel authentication' }));
    await waitFor(() => expect(alerts()).toEqual(['The authentication was canceled. The card was not charged.']));
    expect(payButton()).toBeVisible();
  });
});

describe('the purchase button', () => {
  it('is hidden where nothing is sold', async () => {
    server.on('GET /api/v1/status', {
      success: true,
      data: { auth_system: { development_mode: true }, payments: 'off', limits: { batch: 100, max_pages: 50 } },
    });
    renderApp('/account');
    await screen.findByRole('button', { name: 'Logout' });
    await screen.findByText('User ID');
    expect(screen.queryByRole('button', { name: /^Buy reports/ })).toBeNull();
  });

  it('is on the account page too, with the balance', async () => {
    server.on('GET /api/v1/auth/profile', profileResponse({}, { funds: -5000 }));
    const bill = subscriptionResponse();
    bill.data.balance = { ...bill.data.balance, funds: -5000, currency: 'usd' };
    server.on('GET /api/v1/subscription/status', bill);
    const { user } = renderApp('/account');
    expect((await screen.findByText('Balance')).nextElementSibling).toHaveTextContent('−$50.00');
    await user.click(screen.getByRole('button', { name: 'Buy reports' }));
    expect(await screen.findByRole('dialog', { name: 'Buy reports' })).toBeVisible();
  });

  it('is shown to users who submit more than they can pay for', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([]));
    server.on(
      'POST /api/v1/process/batch',
      refusal(402, 'Insufficient credits', 'INSUFFICIENT_CREDITS', { credits_required: 5, credits_available: 2 }),
    );
    const { user } = renderApp('/');
    await user.click(await screen.findByRole('tab', { name: 'Batch' }));
    await user.type(
      await screen.findByLabelText('Website addresses, one per line'),
      'a.com\nb.com\nc.com\nd.com\ne.com',
    );
    await user.click(screen.getByRole('button', { name: 'Generate SEO Reports' }));
    const dialog = await screen.findByRole('dialog', { name: 'Not enough audits left' });
    await screen.findByRole('button', { name: /^Pay/ });
    expect(screen.getByRole('dialog')).toHaveTextContent('Required5Available2');
    expect(field('Number of reports')).toHaveValue(3);
    expect(dialog).toBeDefined();
    await fillCard(user);
    await user.click(payButton());
    await screen.findByText('Payment complete');
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.getByLabelText('Website addresses, one per line')).toHaveValue('a.com\nb.com\nc.com\nd.com\ne.com');
  });
});
