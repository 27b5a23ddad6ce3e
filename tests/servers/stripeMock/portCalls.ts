/** Every call of the payments port, through its adapter and a proxy that records the traffic. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type GivenPayments, paymentsOf } from '../../given/payments.ts';

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly status: number;
  readonly answer: Record<string, unknown>;
};

type Alter = (path: string, answer: Record<string, unknown>) => Record<string, unknown>;

/** A proxy in front of `target`: passes its traffic to `record`, and responses with 200 through `alter`. */
export async function openProxy(
  target: string,
  record: (call: Call) => void,
  alter: Alter = (_path, answer) => answer,
) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const [method, body] = [request.method ?? 'GET', Buffer.concat(parts).toString('utf8')];
      const {
        host: _host,
        connection: _connection,
        'content-length': _length,
        ...headers
      } = request.headers as Record<string, string>;
      const url = new URL(request.url ?? '/', target);
      const answered = await fetch(url, { method, headers, ...(method === 'POST' ? { body } : {}) });
      const theirs = (await answered.json()) as Record<string, unknown>;
      const answer = answered.status === 200 ? alter(url.pathname, theirs) : theirs;
      record({ method, path: url.pathname, query: url.search, body, status: answered.status, answer });
      response.writeHead(answered.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, close };
}

/** The whole life of one customer. */
export async function callPort(given: GivenPayments, record: (call: Call) => void): Promise<void> {
  const proxy = await openProxy(given.sandbox.url, record);
  const payments = paymentsOf(given.sandbox, {
    address: { host: '127.0.0.1', port: proxy.port, protocol: 'http' },
    now: given.now,
  });
  try {
    await given.stripe.coupons.create({ id: 'off15', percent_off: 15, duration: 'once' });
    await given.stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: 'off15' }, code: 'OFF15' });
    await payments.catalogue();
    const promotionCodeId = (await payments.promotionCode('OFF15'))?.promotionCodeId ?? null;
    const { customerId } = await payments.makeCustomer({
      userId: 'ann',
      email: 'ann@example.com',
      name: 'Ann',
      key: 'customer',
    });
    await payments.customer(customerId);
    await payments.openCustomerSession({ customerId, key: 'session' });
    await payments.planCode({ code: 'OFF15', customerId });
    for (const savePaymentMethod of [true, false]) {
      const { paymentIntentId } = await payments.startPayment({
        userId: 'ann',
        customerId,
        quantity: 3,
        amount: 12_750,
        currency: 'usd',
        funds: 15_000,
        discountCode: 'OFF15',
        codeUse: null,
        billingEmail: 'ann@example.com',
        savePaymentMethod,
        key: `payment ${savePaymentMethod}`,
      });
      await payments.payment(paymentIntentId);
    }
    await payments.payment(await given.buy('ann', customerId));
    await payments.customer(customerId);
    const pages = {
      successUrl: 'http://localhost:3000/done?session_id={CHECKOUT_SESSION_ID}',
      cancelUrl: 'http://localhost:3000/plans',
    };
    await payments.startCheckout({
      userId: 'ann',
      customerId,
      tier: 'tier1',
      promotionCodeId,
      ...pages,
      key: 'checkout',
    });
    await payments.startCheckout({
      userId: 'ann',
      customerId,
      tier: 'tier1',
      promotionCodeId: null,
      ...pages,
      key: 'checkout without a code',
    });
    const { id: subscriptionId } = await given.subscribe('ann', customerId);
    await payments.upgradeCost({ subscriptionId, tier: 'tier2' });
    await payments.upgrade({ subscriptionId, tier: 'tier2', key: 'upgrade' });
    await payments.scheduleDowngrade({ subscriptionId, tier: 'tier1', key: 'downgrade' });
    await payments.reactivate({ subscriptionId, key: 'undo' });
    await payments.cancel({ subscriptionId, immediately: false, key: 'end' });
    await payments.reactivate({ subscriptionId, key: 'go on' });
    await payments.openPortal({ customerId, returnUrl: 'http://localhost:3000/account', key: 'portal' });
    const told = await payments.subscription(subscriptionId);
    await payments.invoice(told?.subscription.invoice?.invoiceId ?? '');
    await payments.subscriptionsOf(customerId);
    await payments.cancel({ subscriptionId, immediately: true, key: 'end now' });
    for await (const _ of payments.eventsSince('2026-01-01T00:00:00.000Z'));
    for await (const _ of payments.books());
    for await (const _ of payments.plans());
    await payments.forgetCustomer(customerId);
  } finally {
    await proxy.close();
  }
}
