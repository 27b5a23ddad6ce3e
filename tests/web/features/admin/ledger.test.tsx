/** The ledger, used as people do: search, filter, the next page, a link, a file. */
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { LedgerResponse, LedgerRowView, LedgerSumsResponse } from '../../../../src/http/contract/admin/ledger.ts';
import { providerObject } from '../../../../web/features/admin/ledger/providerLink.ts';
import { type Call, type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { profileResponse, statusResponse } from '../../given/views.ts';

const LIST = 'GET /api/v1/admin/ledger';
const SUMS = 'GET /api/v1/admin/ledger/sums';
const EXPORT = 'GET /api/v1/admin/ledger/export';

const row = (id: string, more: Partial<LedgerRowView> = {}): LedgerRowView => ({
  id,
  at: '2026-03-10T12:00:00.000Z',
  position: '00000000000000000001',
  stream: 'billing-ann',
  revision: 7,
  type: 'FundsAdded',
  kind: 'purchase',
  user_id: 'ann',
  user_email: 'ann@example.com',
  amount: 9_000,
  currency: 'usd',
  funds: 10_000,
  credits: 0,
  plan: null,
  former_plan: null,
  code: 'TEN',
  invoice_number: null,
  payment_id: 'pi_1',
  subscription_id: null,
  object_id: null,
  job_id: null,
  ...more,
});
const REFUND = row('refund', {
  type: 'PaymentRefunded',
  kind: 'refund',
  amount: -4_500,
  funds: -5_000,
  code: null,
  object_id: 're_1',
  user_id: 'gone',
  user_email: null,
  stream: 'billing-gone',
});
const CHANGE = row('change', {
  type: 'SubscriptionChanged',
  kind: 'plan_invoice',
  amount: 2_900,
  currency: 'eur',
  funds: 0,
  plan: 'tier2',
  former_plan: 'tier1',
  code: null,
  invoice_number: 'INV-7',
  payment_id: 'pi_2',
  subscription_id: 'sub_1',
  object_id: 'in_1',
});
const USES = [
  row('credit', {
    type: 'CreditsGranted',
    kind: 'credit',
    currency: null,
    amount: 0,
    funds: 0,
    credits: 3,
    code: null,
    payment_id: null,
  }),
  row('use', {
    type: 'AnalysisReserved',
    kind: 'funds_use',
    amount: 0,
    funds: -5_000,
    code: null,
    payment_id: null,
    job_id: '0b5f0d1e-0000-4000-8000-000000000001',
  }),
  row('ended', {
    type: 'SubscriptionEnded',
    kind: 'plan',
    amount: 0,
    currency: null,
    funds: 0,
    plan: 'tier1',
    code: null,
    payment_id: null,
    subscription_id: 'sub_1',
  }),
];
const listed = (data: LedgerRowView[], cursor: string | null = null, searched: LedgerResponse['searched'] = null) =>
  ({ success: true, data, cursor, searched }) satisfies LedgerResponse;
const sums = (rows: number, more: Partial<LedgerSumsResponse['data']> = {}): LedgerSumsResponse => ({
  success: true,
  data: {
    rows,
    currencies: [
      { currency: 'eur', payments: 1, paid: 2_900, refunded: 0, disputed: 0, net: 2_900, funds: 0 },
      { currency: 'usd', payments: 1, paid: 9_000, refunded: 4_500, disputed: 0, net: 4_500, funds: 5_000 },
    ],
    credits: { granted: 3, used: 1 },
    kinds: [
      { kind: 'credit', currency: null, rows: 1, amount: 0 },
      { kind: 'refund', currency: 'usd', rows: 1, amount: -4_500 },
    ],
    all_currencies: ['eur', 'usd'],
    ...more,
  },
});
const NOTHING = sums(0, { currencies: [], credits: { granted: 0, used: 0 }, kinds: [] });

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  server.on(LIST, listed([CHANGE, REFUND, row('purchase')]));
  server.on(SUMS, sums(3));
});
const last = (route = LIST) => Object.fromEntries(server.asked(route).at(-1)?.query ?? []);
const rowsOf = async () =>
  within(await screen.findByRole('table', { name: 'Ledger' }))
    .getAllByRole('row')
    .slice(1);

describe('the ledger', () => {
  it('is in the menu of admins', async () => {
    const { user, address } = renderApp('/admin/reports');
    const menu = within(await screen.findByRole('navigation', { name: 'Admin' }));
    await user.click(menu.getByRole('link', { name: 'Ledger' }));
    expect(await screen.findByRole('heading', { name: 'Ledger', level: 1 })).toBeVisible();
    expect(address()).toBe('/admin/ledger');
    expect(last()).toEqual({});
  });

  it('shows what each row was, and links to its event and its user', async () => {
    renderApp('/admin/ledger');
    const [change, refund, purchase] = await rowsOf();
    expect(change).toHaveTextContent('Plan changedBasic → Professional · Invoice INV-7ann@example.comin_1');
    expect(change).toHaveTextContent('€29.00');
    expect(within(change!).getByRole('link', { name: 'Plan changed' })).toHaveAttribute(
      'href',
      '/admin/history?stream=billing-ann#7',
    );
    expect(within(change!).getByRole('link', { name: 'ann@example.com' })).toHaveAttribute('href', '/admin/users/ann');
    expect(refund).toHaveTextContent('−$45.00');
    expect(within(refund!).getByRole('link', { name: 'Deleted account gone' })).toHaveAttribute(
      'href',
      '/admin/ledger?search=gone',
    );
    expect(purchase).toHaveTextContent('Reports boughtCode TEN');
    // The sandbox has no dashboard.
    expect(within(purchase!).queryByRole('link', { name: 'pi_1' })).toBeNull();
    expect(purchase).toHaveTextContent('pi_1');
  });

  it('shows credits, funds that paid for an audit, and what moved no money', async () => {
    server.on(LIST, listed(USES));
    renderApp('/admin/ledger');
    const [credit, use, ended] = await rowsOf();
    expect(credit).toHaveTextContent('+3 credits');
    expect(use).toHaveTextContent('−$50.00from the funds');
    expect(use).toHaveTextContent('Job 0b5f0d');
    expect(ended).toHaveTextContent('Subscription endedBasic');
    expect(ended).not.toHaveTextContent('0.00');
  });

  it('has the sums of all rows, by currency and by kind', async () => {
    const { user } = renderApp('/admin/ledger');
    const table = within(await screen.findByRole('region', { name: 'Sums: table' }));
    expect(table.getAllByRole('row').map((line) => line.textContent)).toEqual([
      'CurrencyPaymentsPaidRefundedDisputedNetChange of funds',
      'EUR1€29.00€0.00€0.00€29.00€0.00',
      'USD1$90.00$45.00$0.00$45.00$50.00',
    ]);
    expect(screen.getByText('3 credits granted, 1 credit used.')).toBeVisible();
    expect(screen.getByRole('table', { name: 'Ledger' })).toHaveAttribute('aria-rowcount', '4');
    await user.click(screen.getByText('By kind'));
    expect(screen.getByRole('region', { name: 'By kind: table' })).toHaveTextContent('Refunds, USD1−$45.00');
  });

  it('is filtered, and keeps the filter in its address', async () => {
    const { user, address } = renderApp('/admin/ledger');
    await rowsOf();
    await user.selectOptions(screen.getByLabelText('Kind'), 'Refunds');
    await user.selectOptions(screen.getByLabelText('Currency'), 'USD');
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-01' } });
    await user.type(screen.getByRole('searchbox'), ' INV-7 {Enter}');
    const filter = { search: 'INV-7', kind: 'refunds', currency: 'usd', from: '2026-03-01' };
    await vi.waitFor(() => expect(last()).toEqual(filter));
    await vi.waitFor(() => expect(last(SUMS)).toEqual(filter));
    expect(address()).toBe('/admin/ledger?search=INV-7&kind=refunds&currency=usd&from=2026-03-01');
    await user.click(screen.getByRole('button', { name: 'Show everything' }));
    await vi.waitFor(() => expect(last()).toEqual({}));
    expect(screen.queryByRole('button', { name: 'Show everything' })).toBeNull();
    expect(screen.getByRole('searchbox')).toHaveValue('');
  });

  it('goes on with the next page, and sums up only once', async () => {
    server.on(LIST, ({ query }: Call) =>
      query.has('cursor') ? listed([REFUND]) : listed([CHANGE, row('purchase')], 'more'),
    );
    const { user } = renderApp('/admin/ledger?kind=payments');
    expect(await rowsOf()).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await vi.waitFor(async () => expect(await rowsOf()).toHaveLength(3));
    expect(last()).toEqual({ kind: 'payments', cursor: 'more' });
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
    expect(server.asked(SUMS)).toHaveLength(1);
  });

  it('says that there is nothing, that nothing was found, and whose rows those of a job are', async () => {
    server.on(LIST, listed([]));
    server.on(SUMS, NOTHING);
    const first = renderApp('/admin/ledger');
    expect(await screen.findByText('No rows.')).toBeVisible();
    expect(screen.getByText('No money moved.')).toBeVisible();
    first.unmount();
    server.on(LIST, refusal(404, 'No row, user, customer, or job has exactly that.', 'NOT_FOUND'));
    server.on(SUMS, refusal(404, 'No row, user, customer, or job has exactly that.', 'NOT_FOUND'));
    const second = renderApp('/admin/ledger?search=pi_foreign');
    expect(await screen.findByText('Nothing found')).toBeVisible();
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    second.unmount();
    server.on(LIST, listed([row('purchase')], null, 'payer'));
    server.on(SUMS, sums(1));
    renderApp('/admin/ledger?search=job-1');
    expect(await screen.findByText(/These are its owner’s rows/)).toBeVisible();
  });

  it('asks for nothing while its days are the wrong way round', async () => {
    renderApp('/admin/ledger?from=2026-03-09&to=2026-03-01');
    expect(await screen.findByText('Before the first day')).toBeVisible();
    expect([...server.asked(LIST), ...server.asked(SUMS)]).toEqual([]);
  });

  it('shows why the server refused a filter, and keeps the filter', async () => {
    for (const route of [LIST, SUMS])
      server.on(route, refusal(400, 'No row is in that currency. There are: usd', 'INVALID_INPUT'));
    renderApp('/admin/ledger?currency=chf');
    expect(await screen.findByText(/There are: usd/)).toBeVisible();
    expect(screen.getByLabelText('Currency')).toHaveDisplayValue('CHF');
  });

  it('downloads all rows of the filter, whatever page is shown', async () => {
    const saved: string[] = [];
    const contents: Blob[] = [];
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => {
          contents.push(blob);
          return 'blob:ledger';
        },
        revokeObjectURL: () => undefined,
      }),
    );
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    server.on(EXPORT, () => new Response('\ufeffTime (UTC)\r\n'));
    const { user } = renderApp('/admin/ledger?kind=refunds');
    await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]).toMatch(/^ledger-\d{4}-\d\d-\d\d\.csv$/);
    expect(last(EXPORT)).toEqual({ kind: 'refunds', format: 'csv' });
    // The mark by which a spreadsheet knows the encoding.
    expect([...new Uint8Array(await contents[0]!.arrayBuffer())].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]);
    server.on(EXPORT, refusal(503, 'Busy', 'BUSY'));
    await user.click(screen.getByRole('button', { name: 'Download NDJSON' }));
    expect(await screen.findByText(/could not be fetched/)).toBeVisible();
    expect(saved).toHaveLength(1);
  });

  it('links to the dashboard of Stripe in its mode', async () => {
    server.on('GET /api/v1/status', statusResponse({ payments: 'test' }));
    renderApp('/admin/ledger');
    const [change] = await rowsOf();
    await vi.waitFor(() =>
      expect(within(change!).getByRole('link', { name: 'in_1' })).toHaveAttribute(
        'href',
        'https://dashboard.stripe.com/test/invoices/in_1',
      ),
    );
  });
});

describe('the provider’s object of a row', () => {
  const ids = { object_id: null, payment_id: null, subscription_id: null };
  it.each([
    ['live', { ...ids, payment_id: 'pi_1' }, 'pi_1', 'https://dashboard.stripe.com/payments/pi_1'],
    [
      'test',
      { ...ids, object_id: 're_1', payment_id: 'pi_1' },
      're_1',
      'https://dashboard.stripe.com/test/payments/pi_1',
    ],
    ['live', { ...ids, object_id: 'dp_1', payment_id: 'pi_1' }, 'dp_1', 'https://dashboard.stripe.com/disputes/dp_1'],
    ['live', { ...ids, subscription_id: 'sub_1' }, 'sub_1', 'https://dashboard.stripe.com/subscriptions/sub_1'],
    ['live', { ...ids, object_id: 'thing-1' }, 'thing-1', null],
    ['sandbox', { ...ids, payment_id: 'pi_1' }, 'pi_1', null],
    ['off', { ...ids, payment_id: 'pi_1' }, 'pi_1', null],
  ] as const)('in mode %s of %o', (mode, given, id, url) => {
    expect(providerObject(given, mode)).toEqual({ id, url });
  });
  it('is missing where there is none', () => {
    expect(providerObject(ids, 'live')).toBeNull();
  });
});
