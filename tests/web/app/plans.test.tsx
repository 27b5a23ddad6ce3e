import { act, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SubscriptionStatusResponse } from '../../../src/http/contract/billing.ts';
import type { PlanView } from '../../../src/http/contract/subscriptions.ts';
import { nameOfTier, TIERS } from '../../../src/model/tiers.ts';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../given/fakeServer.ts';
import { fakeSockets, goLive } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { position, statusResponse, subscriptionResponse } from '../given/views.ts';

type Status = SubscriptionStatusResponse['data'];

const STATUS = 'GET /api/v1/subscription/status';
const SYNC = 'POST /api/v1/subscription/sync';
const CHECKOUT = 'POST /api/v1/subscription/create-checkout';
const UPDATE = 'POST /api/v1/subscription/update-plan';
const COST = 'POST /api/v1/subscription/upgrade-cost';
const PORTAL = 'POST /api/v1/subscription/customer-portal';
const CANCEL = 'POST /api/v1/subscription/cancel';
const REACTIVATE = 'POST /api/v1/subscription/reactivate';
const PAGE = 'http://provider.test/page';

const PRICES = [0, 29, 79, 199, 499];
const ANALYSES = [3, 1, 3, 10, 50];
const FEATURES = [
  [],
  ['email_support'],
  ['email_support'],
  ['phone_and_email_support', 'custom_integrations'],
  ['priority_processing', 'api_access', 'sandcastles'],
];
const ON_REQUEST = ['phone_and_email_support', 'custom_integrations', 'sandcastles'];
const PLANS: readonly PlanView[] = TIERS.map((key, at) => ({
  key,
  name: nameOfTier(key),
  price: PRICES[at] ?? 0,
  unit_amount: (PRICES[at] ?? 0) * 100,
  currency: 'usd',
  interval: 'month',
  domainsPerMonth: ANALYSES[at] ?? 0,
  actionItemsLimit: at === 0 ? 8 : 100,
  features: FEATURES[at] ?? [],
  on_request: ON_REQUEST.filter((feature) => FEATURES[at]?.includes(feature)),
  highlighted: key === 'tier2',
}));

/** Of Professional, with one of three audits used. */
function subscribed(
  subscription: Partial<Status['subscription']> = {},
  balance: Partial<Status['balance']> = {},
): SubscriptionStatusResponse {
  const { data } = subscriptionResponse(1, 3);
  const tier2 = {
    tier: 'tier2',
    status: 'active',
    currentPeriodEnd: '2026-12-15T10:00:00.000Z',
    hasFullAccess: true,
  } as const;
  const features = { actionItemsLimit: 100, domainsPerMonth: 3 };
  return {
    success: true,
    data: {
      subscription: { ...data.subscription, ...tier2, features, ...subscription },
      usage: { used: 1, limit: 3, periodEnd: '2026-12-15T10:00:00.000Z' },
      balance: { ...data.balance, plan: 'tier2', ...balance },
    },
  };
}

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
const left = vi.fn();

beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  left.mockReset();
  server.on('GET /api/v1/status', statusResponse({ payments: 'sandbox' }));
  server.on('GET /api/v1/subscription/tiers', { success: true, data: PLANS });
  server.on(SYNC, { success: true, data: { synced_at: '2026-11-23T10:00:00.000Z' } });
  server.on(UPDATE, { success: true, data: { subscription: subscribed().data.subscription } });
  server.on(COST, { success: true, data: { amount: 6_120, currency: 'usd', limit: 10, used: 1 } });
  server.on(REACTIVATE, { success: true, data: { subscription: subscribed().data.subscription } });
  server.on(CHECKOUT, { success: true, url: PAGE, data: { url: PAGE } });
  server.on(PORTAL, { success: true, url: PAGE, data: { url: PAGE } });
  const data = {
    success: true,
    currentPeriodEnd: '2026-12-15T10:00:00.000Z',
    data: { currentPeriodEnd: '2026-12-15T10:00:00.000Z' },
  };
  server.on(CANCEL, { success: true, data });
  const { origin, pathname, search, href } = window.location;
  vi.stubGlobal('location', { origin, pathname, search, href, assign: left, reload: () => undefined });
});

async function plans(status?: SubscriptionStatusResponse, path = '/account/upgrade') {
  if (status) server.on(STATUS, status);
  const app = renderApp(path);
  await screen.findByRole('heading', { name: 'Professional', level: 3 });
  return app;
}
const column = (name: string) => within(screen.getByRole('heading', { name, level: 3 }).closest('li') as HTMLElement);
const block = (name: string) => within(screen.getByRole('heading', { name }).closest('section') as HTMLElement);
const networkDown = (): never => {
  throw new NetworkDown();
};
async function accessible(): Promise<void> {
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
}

describe('the plans', () => {
  it('are five, with price and features, and one button each', async () => {
    const { user, address } = await plans();
    expect(screen.getByRole('heading', { name: 'Choose Your Plan', level: 1 })).toBeVisible();
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Free',
      'Basic',
      'Professional',
      'Business',
      'Power',
    ]);
    const free = column('Free');
    expect(free.getByText('3 previews a month')).toBeVisible();
    expect(free.getByText('First 8 action items')).toBeVisible();
    expect(free.getByRole('button')).toHaveAccessibleName('Current plan');
    expect(free.getByRole('button')).toBeDisabled();
    const basic = column('Basic');
    expect(basic.getByText('$29')).toBeVisible();
    expect(basic.getByText('a month')).toBeVisible();
    expect(basic.getByText('1 domain analysis a month')).toBeVisible();
    expect(basic.getByText('All action items')).toBeVisible();
    expect(basic.getByText('Email support')).toBeVisible();
    expect(column('Business').getByText('Phone and email support')).toBeVisible();
    expect(column('Power').getByText('Sandcastles')).toBeVisible();
    expect(screen.getAllByText('Most Popular')).toEqual([column('Professional').getByText('Most Popular')]);
    expect(screen.getByText('Payment sandbox: no money moves')).toBeVisible();
    for (const name of ['Billing Portal', 'Cancel Subscription'])
      expect(screen.queryByRole('heading', { name })).toBeNull();
    await accessible();
    await user.click(screen.getByRole('link', { name: 'Back to Account' }));
    expect(address()).toBe('/account');
  });

  it('mark what is provided on request, and lead to the support', async () => {
    await plans();
    const links = (name: string) =>
      column(name)
        .queryAllByRole('link')
        .map((link) => [link.closest('li')?.textContent, link.getAttribute('href')]);
    expect(links('Basic')).toEqual([]);
    expect(links('Business')).toEqual([
      [
        'Phone and email support phone on request',
        'mailto:support@example.com?subject=Phone%20and%20email%20support%20(Business%20plan)',
      ],
      [
        'Custom integrations on request',
        'mailto:support@example.com?subject=Custom%20integrations%20(Business%20plan)',
      ],
    ]);
    expect(links('Power').map(([text]) => text)).toEqual(['Sandcastles on request']);
    expect(column('Power').getByRole('link')).toHaveAccessibleName('Sandcastles: on request');
    await accessible();
  });

  it('say so without a link where there is no support address, and take a server that does not say', async () => {
    server.on('GET /api/v1/status', statusResponse({ payments: 'sandbox', support_email: '' }));
    server.on('GET /api/v1/subscription/tiers', {
      success: true,
      data: PLANS.map((plan) => (plan.key === 'tier4' ? { ...plan, on_request: undefined } : plan)),
    });
    await plans();
    expect(column('Business').getByText('phone on request')).toBeVisible();
    expect(column('Business').queryByRole('link')).toBeNull();
    expect(column('Power').queryByText('on request')).toBeNull();
  });

  it('are at /account/subscription, too', async () => {
    await plans(subscribed(), '/account/subscription');
    expect(screen.getByRole('heading', { name: 'Change Your Plan' })).toBeVisible();
    expect(server.asked(SYNC)).toHaveLength(0);
  });

  it('whose prices cannot be loaded say so, and offer a retry', async () => {
    server.on('GET /api/v1/subscription/tiers', refusal(503, ''));
    const { user } = renderApp('/account/upgrade');
    const panel = await screen.findByRole('alert');
    expect(panel).toHaveTextContent('Unable to load pricing information at this time');
    expect(panel).toHaveTextContent('Failed to load pricing information');
    await accessible();
    server.on('GET /api/v1/subscription/tiers', { success: true, data: PLANS });
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('heading', { name: 'Power' })).toBeVisible();
  });

  it('are hidden while the subscription is unknown', async () => {
    server.on(STATUS, refusal(500, ''));
    const { user } = renderApp('/account/upgrade');
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to fetch subscription status');
    server.on(STATUS, subscribed());
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('button', { name: 'Upgrade to Business' })).toBeVisible();
  });

  it.each(['/account/upgrade', '/account/subscription', '/account/subscription-success'])(
    'are hidden where nothing is sold: %s',
    async (path) => {
      server.on('GET /api/v1/status', statusResponse());
      const { address } = renderApp(path);
      expect(await screen.findByText('This installation doesn’t sell plans or reports.')).toBeVisible();
      expect(address()).toBe('/account');
      await screen.findByText('audits used');
      expect(screen.queryByRole('link', { name: /Upgrade|Change plan/ })).toBeNull();
      expect(screen.queryByText(/sandbox/i)).toBeNull();
    },
  );
});

describe('choosing a plan', () => {
  it('goes to the checkout, which returns here', async () => {
    const { user } = await plans();
    await user.click(screen.getByRole('button', { name: 'Choose Business' }));
    await waitFor(() => expect(left).toHaveBeenCalledWith(PAGE));
    const [call] = server.asked(CHECKOUT);
    expect(call?.body).toEqual({
      tier: 'tier3',
      successUrl: `${location.origin}/account/subscription-success?session_id={CHECKOUT_SESSION_ID}`,
      cancelUrl: `${location.origin}/account/upgrade`,
    });
    await user.click(screen.getByRole('button', { name: 'Choose Business' }));
    expect(server.asked(CHECKOUT)).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Choose Basic' })).toBeDisabled();
    // Back from there, in a browser that restores the page as it was.
    act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Choose Basic' })).toBeEnabled());
    expect(screen.getByRole('button', { name: 'Choose Business' })).not.toHaveAttribute('aria-busy');
  });

  it.each([
    [
      'the server’s words',
      refusal(409, 'You already have a subscription.', 'SUBSCRIPTION_EXISTS'),
      'You already have a subscription.',
    ],
    ['its own words', refusal(500, ''), 'Failed to create checkout session'],
    ['no answer', networkDown, 'Failed to process subscription request. Please try again.'],
  ])('explains a failure: %s', async (_, reply, text) => {
    server.on(CHECKOUT, reply);
    const { user } = await plans();
    await user.click(screen.getByRole('button', { name: 'Choose Basic' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(left).not.toHaveBeenCalled();
    expect(screen.getByRole('button', { name: 'Choose Basic' })).toBeEnabled();
  });
});

describe('another plan', () => {
  it('that is higher starts at once, after a confirmation', async () => {
    const { user } = await plans(subscribed());
    expect(column('Professional').getByRole('button', { name: 'Current plan' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Upgrade to Business' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Upgrade to Business?' });
    expect(dialog).toHaveTextContent('$199 a month for 10 domain analyses a month.');
    await waitFor(() =>
      expect(dialog).toHaveTextContent(
        'Your card is charged $61.20 today: the price of the rest of the period until December 15, 2026, less a prorated credit for what you have paid for Professional.',
      ),
    );
    await accessible();
    server.on(STATUS, subscribed({ tier: 'tier3' }));
    await user.click(within(dialog).getByRole('button', { name: 'Upgrade to Business' }));
    expect(await screen.findByText('You’re on Business now.')).toBeVisible();
    expect(server.asked(UPDATE)[0]?.body).toEqual({ newTier: 'tier3', currentTier: 'tier2', isUpgrade: true });
    await waitFor(() => expect(column('Business').getByRole('button', { name: 'Current plan' })).toBeVisible());
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('can be chosen although the payment provider does not say what it costs today', async () => {
    server.on(COST, refusal(503, 'Payments are not available at the moment.', 'PAYMENTS_UNAVAILABLE'));
    const { user } = await plans(subscribed());
    await user.click(screen.getByRole('button', { name: 'Upgrade to Business' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Upgrade to Business?' });
    await waitFor(() => expect(dialog).toHaveTextContent('Your card is charged today for the rest of the period'));
    expect(within(dialog).queryByRole('alert')).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Upgrade to Business' }));
    await waitFor(() => expect(server.asked(UPDATE)).toHaveLength(1));
  });

  it('that is lower waits, and can be undone', async () => {
    const { user } = await plans(subscribed());
    await user.click(screen.getByRole('button', { name: 'Downgrade to Basic' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog).toHaveTextContent('$29 a month for 1 domain analysis a month.');
    expect(dialog).toHaveTextContent(
      'You keep Professional until December 15, 2026. Basic starts then, with the next renewal. Nothing is refunded.',
    );
    server.on(STATUS, subscribed({ pendingTier: 'tier1', pendingAt: '2026-12-15T10:00:00.000Z' }));
    await user.click(within(dialog).getByRole('button', { name: 'Downgrade to Basic' }));
    expect(await screen.findByRole('heading', { name: 'Changes to Basic on December 15, 2026' })).toBeVisible();
    // The button that was pressed is disabled now.
    expect(document.activeElement).toHaveTextContent(/^Professional changes to Basic on December 15, 2026\.$/);
    expect(server.asked(UPDATE)[0]?.body).toEqual({ newTier: 'tier1', currentTier: 'tier2', isUpgrade: false });
    expect(column('Basic').getByRole('button', { name: 'Starts December 15, 2026' })).toBeDisabled();
    await accessible();
    server.on(REACTIVATE, networkDown);
    await user.click(screen.getByRole('button', { name: 'Keep Professional' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to reactivate subscription. Please try again.');
    server.on(REACTIVATE, { success: true, data: { subscription: subscribed().data.subscription } });
    server.on(STATUS, subscribed());
    await user.click(screen.getByRole('button', { name: 'Keep Professional' }));
    expect(await screen.findByText('You stay on Professional.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('heading', { name: /Changes to Basic/ })).toBeNull());
  });

  it('says that it cancels the scheduled change', async () => {
    const { user } = await plans(subscribed({ cancelAtPeriodEnd: true }));
    await user.click(screen.getByRole('button', { name: 'Upgrade to Power' }));
    expect(await screen.findByRole('alertdialog')).toHaveTextContent('Your scheduled cancellation is withdrawn.');
  });

  it.each([
    ['the card', refusal(402, 'Your card was declined.', 'PAYMENT_FAILED'), 'Your card was declined.', 1],
    ['its own words', refusal(500, ''), 'Failed to update subscription', 0],
    ['no answer', networkDown, 'Failed to process subscription change. Please try again.', 0],
  ])('that is refused explains why: %s', async (_, reply, text, portals) => {
    server.on(UPDATE, reply);
    const { user } = await plans(subscribed());
    await user.click(screen.getByRole('button', { name: 'Upgrade to Business' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Upgrade to Business' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(text);
    // A page for another card, or the bank's confirmation.
    expect(dialog.queryAllByRole('button', { name: /^Open billing portal/ })).toHaveLength(portals);
    await user.click(dialog.getByRole('button', { name: 'Keep Professional' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });
});

describe('cancelling', () => {
  it('is at the end of the period by default, can be immediate, and names what is lost', async () => {
    const { user } = await plans(subscribed());
    await user.click(block('Cancel Subscription').getByRole('button', { name: 'Cancel subscription…' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Cancel Professional?' });
    expect(within(dialog).getByRole('radio', { name: /At the end of the period/ })).toBeChecked();
    expect(dialog).toHaveTextContent('You keep Professional until December 15, 2026.');
    expect(dialog).toHaveTextContent('You lose the 2 domain analyses left in this period, and nothing is refunded.');
    await accessible();
    server.on(STATUS, subscribed({ cancelAtPeriodEnd: true }));
    await user.click(within(dialog).getByRole('button', { name: 'Cancel Professional' }));
    expect(
      await screen.findByText('Professional ends on December 15, 2026. You can reactivate it until then.'),
    ).toBeVisible();
    expect(server.asked(CANCEL)[0]?.body).toEqual({ immediately: false });
    const scheduled = await screen.findByRole('heading', { name: 'Cancellation scheduled' });
    expect(scheduled.closest('section')).toHaveTextContent(
      'Professional ends on December 15, 2026. Until then, everything stays as it is.',
    );
    expect(screen.queryByRole('button', { name: 'Cancel subscription…' })).toBeNull();
    expect(column('Free').getByRole('button', { name: 'Starts December 15, 2026' })).toBeDisabled();
  });

  it('at once is possible while an end is scheduled', async () => {
    const { user } = await plans(subscribed({ cancelAtPeriodEnd: true }));
    await user.click(block('Cancel Subscription').getByRole('button', { name: 'End it now…' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'End Professional now?' });
    expect(within(dialog).queryByRole('radio')).toBeNull();
    expect(dialog).toHaveTextContent(
      'Professional ends today. You lose the 2 domain analyses left in this period, and nothing is refunded. Otherwise it ends on December 15, 2026.',
    );
    await accessible();
    server.on(STATUS, subscriptionResponse());
    await user.click(within(dialog).getByRole('button', { name: 'End Professional now' }));
    expect(await screen.findByText('Professional has ended. You’re on Free now.')).toBeVisible();
    expect(server.asked(CANCEL)[0]?.body).toEqual({ immediately: true });
  });

  it('at once results in the Free plan', async () => {
    const { user } = await plans(subscribed());
    await user.click(screen.getByRole('button', { name: 'Downgrade to Free' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('radio', { name: /At once/ }));
    server.on(STATUS, subscriptionResponse());
    await user.click(dialog.getByRole('button', { name: 'End Professional now' }));
    expect(await screen.findByText('Professional has ended. You’re on Free now.')).toBeVisible();
    expect(server.asked(CANCEL)[0]?.body).toEqual({ immediately: true });
    expect(await screen.findByRole('heading', { name: 'Choose Your Plan' })).toBeVisible();
  });

  it.each([
    ['no answer', networkDown],
    ['a refusal', refusal(503, 'The payment provider is away.')],
  ])('reports a failure: %s', async (_, reply) => {
    server.on(CANCEL, reply);
    const { user } = await plans(subscribed());
    await user.click(screen.getByRole('button', { name: 'Cancel subscription…' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Cancel Professional' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Failed to cancel subscription. Please try again.');
  });

  it('is undone by Reactivate', async () => {
    const { user } = await plans(subscribed({ cancelAtPeriodEnd: true }));
    server.on(REACTIVATE, refusal(409, 'There is nothing to reactivate.', 'NOTHING_TO_REACTIVATE'));
    await user.click(screen.getByRole('button', { name: 'Reactivate' }));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(
      'Failed to reactivate subscription. Please try again.There is nothing to reactivate.',
    );
    server.on(REACTIVATE, { success: true, data: { subscription: subscribed().data.subscription } });
    server.on(STATUS, subscribed());
    await user.click(screen.getByRole('button', { name: 'Reactivate' }));
    const done = await screen.findByText('Professional continues; your cancellation was withdrawn.');
    expect(done).toBeVisible();
    // The button that was pressed is gone.
    await waitFor(() => expect(document.activeElement).toContainElement(done));
    expect(document.body).not.toHaveFocus();
    expect(server.asked(REACTIVATE).map(({ body }) => body)).toEqual([{}, {}]);
    expect(await screen.findByRole('heading', { name: 'Cancel Subscription' })).toBeVisible();
  });
});

describe('the billing portal', () => {
  const opened = { opener: {}, closed: false, close: vi.fn(), location: { replace: vi.fn() } };

  it('opens in a window that the click itself opened', async () => {
    vi.stubGlobal('open', () => opened);
    const { user } = await plans(subscribed());
    await user.click(screen.getByRole('button', { name: /Open billing portal/ }));
    await waitFor(() => expect(opened.location.replace).toHaveBeenCalledWith(PAGE));
    expect(opened.opener).toBeNull();
    expect(server.asked(PORTAL)[0]?.body).toEqual({ returnUrl: `${location.origin}/account/upgrade` });
  });

  it('falls back to a link when the browser blocks the window', async () => {
    vi.stubGlobal('open', () => null);
    const { user } = await plans(subscribed());
    await user.click(screen.getByRole('button', { name: /Open billing portal/ }));
    expect(await screen.findByRole('link', { name: 'Go to the billing portal' })).toHaveAttribute('href', PAGE);
    await accessible();
  });

  it.each([
    [refusal(409, 'There is no customer yet.', 'NO_CUSTOMER'), 'Error: There is no customer yet.'],
    [networkDown, 'Failed to open billing portal.'],
  ])('reports a failure to open', async (reply, text) => {
    vi.stubGlobal('open', () => opened);
    server.on(PORTAL, reply);
    const { user } = await plans(subscribed());
    await user.click(screen.getByRole('button', { name: /Open billing portal/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(opened.close).toHaveBeenCalled();
  });
});

describe('a late upgrade', () => {
  it('says before the payment how many audits the period has', async () => {
    server.on(COST, { success: true, data: { amount: 1_120, currency: 'usd', limit: 6, used: 2 } });
    const { user } = await plans(subscribed());
    await user.click(screen.getByRole('button', { name: 'Upgrade to Business' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Upgrade to Business?' });
    await waitFor(() =>
      expect(dialog).toHaveTextContent(
        'You pay for part of this period, so it has 6 domain analyses in all, 4 of them left. All 10 are yours from December 15, 2026 on.',
      ),
    );
  });

  it('says nothing of the kind when all of them come at once', async () => {
    const { user } = await plans(subscribed());
    await user.click(screen.getByRole('button', { name: 'Upgrade to Business' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Upgrade to Business?' });
    await waitFor(() => expect(dialog).toHaveTextContent('$61.20'));
    expect(dialog).not.toHaveTextContent('part of this period');
  });
});

describe('a plan on hold', () => {
  it.each([
    ['disputed', 'its payment is disputed', /when the dispute is decided in our favor, or with the next paid period/],
    ['refunded', 'its payment was refunded', /Professional goes on with the next paid period/],
  ] as const)('because its payment was %s says so, and can be canceled', async (holdReason, title, goesOn) => {
    const { user } = await plans(subscribed({ status: 'unpaid', holdReason }, { plan: 'free' }));
    const notice = screen.getByRole('alert');
    expect(notice).toHaveTextContent(`Professional is on hold: ${title}`);
    expect(notice).toHaveTextContent(goesOn);
    await user.click(block('Cancel Subscription').getByRole('button'));
    expect(await screen.findByRole('alertdialog')).toBeVisible();
    await accessible();
  });
});

describe('a failed payment', () => {
  it('shows how long everything stays, and what to do', async () => {
    await plans(subscribed({ status: 'past_due', graceEndsAt: '2026-11-30T10:00:00.000Z' }));
    expect(screen.getByText('Your last payment failed')).toBeVisible();
    expect(
      screen.getByText(
        /Professional stays as it is until November 30, 2026\. After that, new audits are on the Free plan\./,
      ),
    ).toBeVisible();
    expect(screen.getByRole('button', { name: /Update payment method/ })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Cancel Subscription' })).toBeVisible();
    await accessible();
  });

  it('after the grace says that the plan is on hold', async () => {
    await plans(subscribed({ status: 'past_due', graceEndsAt: '2026-11-01T10:00:00.000Z' }, { plan: 'free' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Professional is on hold: your payment failed');
  });

  it('that is unpaid links to the portal, and has nothing to cancel', async () => {
    await plans(subscribed({ status: 'unpaid' }, { plan: 'free' }));
    expect(screen.getByRole('heading', { name: 'Billing Portal' })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Cancel Subscription' })).toBeNull();
  });
});

describe('a subscription that could not be synced', () => {
  it('says that access is not affected, and offers to sync', async () => {
    server.on(SYNC, refusal(503, ''));
    const { user } = await plans(subscribed({ syncError: 'Failed to sync with Stripe' }));
    expect(screen.getByText('Sync Issue Detected')).toBeVisible();
    expect(screen.getByText('Failed to sync with Stripe. Your access is not affected.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Sync now' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to sync with Stripe');
    server.on(SYNC, networkDown);
    await user.click(screen.getByRole('button', { name: 'Sync now' }));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Failed to sync subscription data'));
    server.on(SYNC, { success: true, data: { synced_at: '2026-11-23T10:00:00.000Z' } });
    server.on(STATUS, subscribed());
    await user.click(screen.getByRole('button', { name: 'Sync now' }));
    await waitFor(() => expect(screen.queryByText('Sync Issue Detected')).toBeNull());
  });
});

describe('a promotion code in the address', () => {
  it('is shown, sent to the checkout, and named when it is refused', async () => {
    const { user } = await plans(undefined, '/account/upgrade?discount=WELCOME10');
    expect(await screen.findByText('Promotion code WELCOME10 will be applied at checkout.')).toBeVisible();
    server.on(CHECKOUT, refusal(400, 'Invalid discount code', 'DISCOUNT_INVALID'));
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    await user.click(screen.getByRole('button', { name: 'Choose Basic' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Invalid discount codeWELCOME10 was removed. Choose again to go on without it.',
    );
    expect(scrolled.mock.contexts.at(-1)).toContainElement(screen.getByRole('alert'));
    scrolled.mockRestore();
    expect(server.asked(CHECKOUT)[0]?.body).toMatchObject({ promotionCode: 'WELCOME10' });
    expect(screen.queryByText(/will be applied at checkout/)).toBeNull();
  });
});

describe('back from the checkout', () => {
  const SUCCESS = '/account/subscription-success?session_id=cs_1';

  it('the provider is asked once, and its answer counts', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await plans(undefined, SUCCESS);
    expect(screen.getByText('Your payment is being confirmed')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Choose Basic' })).toBeDisabled();
    server.on(STATUS, subscribed());
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    expect(await screen.findByText('You’re on Professional now')).toBeVisible();
    expect(server.asked(SYNC)).toHaveLength(1);
    const asked = server.asked(STATUS).length;
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(server.asked(STATUS)).toHaveLength(asked);
  });

  it('the address speaks of no payment once it is confirmed', async () => {
    const { address } = await plans(subscribed(), SUCCESS);
    await waitFor(() => expect(address()).toBe('/account/upgrade'));
    expect(screen.getByText('You’re on Professional now')).toBeVisible();
  });

  it('says nothing of a payment without one', async () => {
    await plans(undefined, '/account/subscription-success');
    expect(screen.getByRole('button', { name: 'Choose Basic' })).toBeEnabled();
    expect(screen.queryByText('Your payment is being confirmed')).toBeNull();
    expect(server.asked(SYNC)).toHaveLength(0);
  });

  it('with nothing confirmed after 20 s, it says so and waits for the socket', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await plans(undefined, SUCCESS);
    await act(() => vi.advanceTimersByTimeAsync(20_100));
    expect(screen.getByText(/The payment provider hasn’t confirmed it yet/)).toBeVisible();
    const asked = server.asked(STATUS).length;
    expect(asked).toBeGreaterThanOrEqual(10);
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(server.asked(STATUS)).toHaveLength(asked);
    expect(server.asked(SYNC)).toHaveLength(1);
    await goLive(sockets.latest());
    const { data } = subscribed();
    act(() => {
      const row = { user_id: 'user-1', ...data, position: position(40) };
      sockets.latest().says({
        type: 'event',
        channel: 'billing',
        table: 'billing',
        eventType: 'UPDATE',
        new: row,
        old: null,
        position: position(40),
      });
    });
    expect(await screen.findByText('You’re on Professional now')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Change Your Plan' })).toBeVisible();
  });
});

describe('the account page', () => {
  it('links to the plans, with the state of the subscription and other sources', async () => {
    server.on(STATUS, subscribed({}, { funds: 10_000, credits: 3, currency: 'usd' }));
    const { user, address } = renderApp('/account');
    expect(await within(screen.getByRole('main')).findByText('Professional · 3 credits · $100.00')).toBeVisible();
    // In the header, too.
    for (const balance of await screen.findAllByText('Professional · 3 credits · $100.00'))
      expect(balance).toBeInTheDocument();
    expect(screen.getByText('Active')).toBeVisible();
    expect(screen.getByText('Renews on December 15, 2026')).toBeVisible();
    expect(screen.getByText('Payment sandbox: no money moves.')).toBeVisible();
    await accessible();
    await user.click(screen.getByRole('link', { name: 'Change plan' }));
    expect(address()).toBe('/account/upgrade');
  });

  it('offers an upgrade on the free plan', async () => {
    renderApp('/account');
    expect(await screen.findByRole('link', { name: 'Upgrade' })).toHaveAttribute('href', '/account/upgrade');
    expect(screen.queryByText(/^Balance:/)).toBeNull();
  });

  it.each([
    [subscribed({ cancelAtPeriodEnd: true }), 'Ends on December 15, 2026'],
    [subscribed({ status: 'trialing' }), 'Trial ends on December 15, 2026'],
    [
      subscribed({ pendingTier: 'tier1', pendingAt: '2026-12-15T10:00:00.000Z' }),
      'Changes to Basic on December 15, 2026',
    ],
    [
      subscribed({}, { funds: -5_000, currency: 'usd' }),
      'Balance: −$50.00 in funds. A refund or dispute took back money that was already spent.',
    ],
    [subscribed({ syncWarning: 'Some changes arrived late, and are applied now.' }), 'Sync Issue Detected'],
  ])('shows the next change', async (status, text) => {
    server.on(STATUS, status);
    renderApp('/account');
    expect(await screen.findByText(text)).toBeVisible();
  });
});
