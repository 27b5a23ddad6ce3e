/** Returning from a payment method with its own page. */
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { enter } from '../../given/enter.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { AUTH, payButton, sells } from '../../given/payments.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';

const VERIFY = `POST ${AUTH}/verify-payment-and-add-credits`;
const back = (status: string): string =>
  `payment_intent=pi_7&payment_intent_client_secret=pi_7_secret_1&redirect_status=${status}`;

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  sells(server, 'test');
});

describe('a payment that returns', () => {
  it('is verified by the server, whatever the address says, and removed from the address', async () => {
    signedInBefore();
    const { user, address } = renderApp(`/account?from=mail&${back('failed')}`);
    expect(await screen.findByText('Payment complete')).toBeVisible();
    expect(screen.getByRole('dialog')).toHaveTextContent('Payment received: $50.00 was added to your funds.');
    await waitFor(() => expect(address()).toBe('/account?from=mail'));
    expect(server.asked(VERIFY).map(({ body }) => body)).toEqual([{ paymentIntentId: 'pi_7', discountCode: null }]);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await user.click(await screen.findByText('Buy reports', { selector: 'header span' }));
    expect(await screen.findByRole('button', { name: 'Pay $50.00' })).toBeVisible();
    expect(server.asked(VERIFY)).toHaveLength(1);
  });

  it.each([
    [
      'failed',
      refusal(409, 'This payment has not gone through.', 'PAYMENT_NOT_SUCCEEDED', { reason: 'open' }),
      'This payment has not gone through.',
    ],
    ['is not the user’s', refusal(404, 'Payment not found', 'PAYMENT_NOT_FOUND'), 'Payment not found'],
  ])('and %s shows the form', async (_, answer, text) => {
    signedInBefore();
    server.on(VERIFY, answer);
    renderApp(`/?${back('succeeded')}`);
    expect(await screen.findByText(text)).toBeVisible();
    expect(payButton()).toBeVisible();
  });

  it('and is still processing is not paid again', async () => {
    signedInBefore();
    server.on(
      VERIFY,
      refusal(409, 'Your payment is being processed.', 'PAYMENT_NOT_SUCCEEDED', { reason: 'processing' }),
    );
    const { user } = renderApp(`/?${back('succeeded')}`);
    expect(await screen.findByText('Your payment is being processed.')).toBeVisible();
    expect(screen.getByText('Please don’t pay again.')).toBeVisible();
    sells(server, 'test');
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByText('Payment complete')).toBeVisible();
  });

  it('waits for a log-in', async () => {
    const { user, address } = renderApp(`/account?${back('succeeded')}`);
    await enter(user, await screen.findByLabelText('Email'), 'ada@example.com');
    await enter(user, screen.getByLabelText('Password'), 'a good password');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText('Payment complete')).toBeVisible();
    await waitFor(() => expect(address()).toBe('/account'));
  });
});
