/** A promotion code in an address, and unlocking a preview. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { AUTH, BAD_CODE, field, openPurchase, sells, total } from '../../given/payments.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { action, actionsResponse, completedJob, jobsResponse, subscriptionResponse } from '../../given/views.ts';

const VALIDATE = `POST ${AUTH}/validate-discount`;
const NOTE = 'Promotion code SPRING will be applied at checkout.';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  sells(server);
});

describe('a promotion code in the address', () => {
  it.each(['/?discount=SPRING', '/?promo=%20SPRING%20'])('%s is noticed, and applied to a purchase', async (path) => {
    const { dialog } = await openPurchase(path);
    expect((await screen.findAllByText(NOTE))[0]).toBeInTheDocument();
    expect(field('Discount code (optional)')).toHaveValue('SPRING');
    await waitFor(() => expect(total()).toBe('$42.50'));
    expect(dialog).toHaveTextContent('SPRING: 15% off');
    expect(sessionStorage.getItem('promotion_code')).toBe('SPRING');
  });

  it('is dropped when it is refused', async () => {
    server.on(VALIDATE, BAD_CODE);
    await openPurchase('/?promo=SPRING');
    expect(await screen.findByText('Invalid discount code')).toBeVisible();
    expect(screen.queryByText(NOTE)).toBeNull();
    expect(sessionStorage.getItem('promotion_code')).toBeNull();
  });

  it('stays when another one is refused', async () => {
    const { user } = await openPurchase('/?promo=SPRING');
    await waitFor(() => expect(total()).toBe('$42.50'));
    server.on(VALIDATE, BAD_CODE);
    await user.clear(field('Discount code (optional)'));
    await user.type(field('Discount code (optional)'), 'SUMMER');
    await user.click(screen.getByRole('button', { name: 'Apply' }));
    expect(await screen.findByText('Invalid discount code')).toBeVisible();
    expect(sessionStorage.getItem('promotion_code')).toBe('SPRING');
  });

  it('stays when its discount could not be loaded', async () => {
    server.on(VALIDATE, () => {
      throw new NetworkDown();
    });
    await openPurchase('/?promo=SPRING');
    expect(await screen.findByText('Failed to validate discount code')).toBeVisible();
    expect(sessionStorage.getItem('promotion_code')).toBe('SPRING');
  });

  it('that could be a sentence is ignored', async () => {
    await openPurchase(`/?promo=${encodeURIComponent('You won! Call 555-0100')}`);
    expect(field('Discount code (optional)')).toHaveValue('');
    expect(sessionStorage.getItem('promotion_code')).toBeNull();
  });
});

describe('a preview', () => {
  const UNLOCK = 'POST /api/v1/jobs/job-1/unlock';
  const preview = actionsResponse({ actions: [action()], isFreemiumPreview: true, totalActionsAvailable: 27 });
  const open = async () => {
    server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
    server.on('GET /api/v1/actions', preview);
    const app = renderApp('/dashboard/actions?jobId=job-1');
    return { ...app, button: await screen.findByRole('button', { name: 'Unlock all 27 actions' }) };
  };

  it('is complete at once when it is unlocked', async () => {
    const { user, button } = await open();
    server.on(UNLOCK, { success: true, data: completedJob({ access: 'full' }) });
    server.on(
      'GET /api/v1/actions',
      actionsResponse({ actions: [action(), action({ id: 'action-2', title: 'Write descriptions' })] }),
    );
    await user.click(button);
    expect(await screen.findByText('Write descriptions')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Locked tasks' })).toBeNull();
    expect(server.asked(UNLOCK)).toHaveLength(1);
  });

  const paidFrom = (over: Partial<ReturnType<typeof subscriptionResponse>['data']['balance']>) => {
    const bill = subscriptionResponse(3, 8);
    bill.data.balance = { ...bill.data.balance, ...over };
    server.on('GET /api/v1/subscription/status', bill);
  };

  it('is unlocked after a confirmation that names the price, with a receipt and the focus on the tasks', async () => {
    paidFrom({ paysNext: 'funds', funds: 5_000, currency: 'usd' });
    const { user, button } = await open();
    server.on(UNLOCK, { success: true, data: completedJob({ access: 'full' }) });
    await user.click(button);
    const dialog = await screen.findByRole('alertdialog', { name: 'Unlock all 27 actions?' });
    await waitFor(() => expect(dialog).toHaveTextContent('Uses $50.00 of your funds. Balance after: $0.00.'));
    expect(server.asked(UNLOCK)).toHaveLength(0);
    server.on(
      'GET /api/v1/actions',
      actionsResponse({ actions: [action(), action({ id: 'action-2', title: 'Write descriptions' })] }),
    );
    await user.click(within(dialog).getByRole('button', { name: 'Unlock all 27 actions' }));
    expect(await screen.findByText('27 actions are unlocked. This used $50.00 of your funds.')).toBeVisible();
    expect(await screen.findByText('Write descriptions')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Available Tasks (2)' })).toHaveFocus();
    expect(server.asked(UNLOCK)).toHaveLength(1);
  });

  it.each([
    [{ paysNext: 'plan', plan: 'tier1' }, 'Uses one audit of your plan. Left after: 4 of 8.'],
    [{ paysNext: 'credits', credits: 2 }, 'Uses one of your credits. Balance after: 1 credit.'],
  ] as const)('paid from %j says what is left', async (balance, text) => {
    paidFrom(balance);
    const { user, button } = await open();
    await user.click(button);
    const dialog = await screen.findByRole('alertdialog');
    await waitFor(() => expect(dialog).toHaveTextContent(text));
    await user.click(within(dialog).getByRole('button', { name: 'Not now' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(button).toHaveFocus();
    expect(server.asked(UNLOCK)).toHaveLength(0);
  });

  it('unlocked in another tab is shown', async () => {
    const { user, button } = await open();
    server.on(UNLOCK, refusal(409, 'This analysis is shown in full already.', 'ALREADY_UNLOCKED'));
    server.on('GET /api/v1/jobs/job-1', { success: true, data: completedJob({ access: 'full' }) });
    server.on('GET /api/v1/actions', actionsResponse());
    await user.click(button);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Locked tasks' })).toBeNull());
  });

  it('links to buying reports when the balance is empty', async () => {
    const { user, button } = await open();
    server.on(
      UNLOCK,
      refusal(402, 'Insufficient credits', 'INSUFFICIENT_CREDITS', { credits_required: 1, credits_available: 0 }),
    );
    await user.click(button);
    await screen.findByRole('button', { name: /^Pay/ });
    expect(screen.getByRole('dialog', { name: 'Unlock this audit' })).toHaveTextContent(
      'Free audits can’t unlock a preview. Buy one report to see all 27 actions.',
    );
    expect(screen.queryByText('Required')).toBeNull();
    expect(field('Number of reports')).toHaveValue(1);
  });

  it('explains why it could not be unlocked', async () => {
    const { user, button } = await open();
    server.on(UNLOCK, refusal(409, 'The audit is still running.', 'JOB_NOT_FINISHED'));
    await user.click(button);
    expect(await screen.findByText('The audit is still running.')).toBeVisible();
  });

  it('offers nothing where nothing is sold', async () => {
    server.on('GET /api/v1/status', {
      success: true,
      data: { auth_system: { development_mode: true }, payments: 'off', limits: { batch: 100, max_pages: 50 } },
    });
    server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
    server.on('GET /api/v1/actions', preview);
    renderApp('/dashboard/actions?jobId=job-1');
    expect(await screen.findByRole('region', { name: 'Locked tasks' })).toHaveTextContent(
      /A free audit shows its first \d+ tasks?\.$/,
    );
    expect(screen.queryByRole('button', { name: /^Unlock/ })).toBeNull();
  });
});
