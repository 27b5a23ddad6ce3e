/** Paying from a page of the shop, through its own card form. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GivenPayments, givenPayments } from '../given/payments.ts';

const APP = 'http://localhost:3000';
let given: GivenPayments;
beforeEach(async () => {
  given = await givenPayments({ sandbox: { origins: [APP] } });
});
afterEach(() => given.end());

describe('a browser', () => {
  it('pays, retries with another card after a decline, and confirms with the bank', async () => {
    const customer = await given.customer('u-1');
    const { clientSecret } = await given.begin('u-1', customer);
    expect(await given.confirm(clientSecret, '4000000000000002', APP)).toMatchObject({
      status: 402,
      body: { error: { type: 'card_error', message: 'Your card was declined.' } },
    });
    expect(await given.confirm(clientSecret, '4242424242424241', APP)).toMatchObject({
      status: 402,
      body: { error: { param: 'number' } },
    });
    expect(await given.confirm(clientSecret, undefined, APP)).toMatchObject({
      status: 200,
      body: { status: 'succeeded' },
    });
    expect(await given.confirm(clientSecret, undefined, APP)).toMatchObject({
      status: 400,
      body: { error: { code: 'payment_intent_unexpected_state' } },
    });
    const asked = await given.begin('u-1', customer);
    const { body } = await given.confirm(asked.clientSecret, '4000002760003184', APP);
    expect(body).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } });
    const { url } = (body as { next_action: { redirect_to_url: { url: string } } }).next_action.redirect_to_url;
    const question = await fetch(url);
    expect(question.headers.get('content-security-policy')).toContain(`frame-ancestors ${APP}`);
    const answered = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ token: asked.clientSecret, answer: 'complete' }),
      redirect: 'manual',
    });
    expect(answered.headers.get('location')).toContain(`${APP}/account?payment_intent=${asked.paymentIntentId}`);
    expect(await given.payments.payment(asked.paymentIntentId)).toMatchObject({ status: 'succeeded' });
  });

  it('may send requests only from the shop’s pages', async () => {
    const ask = (origin: string) =>
      fetch(`${given.sandbox.url}/v1/payment_intents/pi_1/confirm`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      });
    const own = await ask(APP);
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([204, APP]);
    const foreign = await ask('http://evil.example');
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect((await fetch(`${given.sandbox.url}/`)).headers.get('content-security-policy')).toContain(
      "frame-ancestors 'none'",
    );
  });
});
