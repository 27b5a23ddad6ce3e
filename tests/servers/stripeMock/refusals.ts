/** One refused call of each kind, as sent over the wire. */
import { type GivenSandbox, SECRET_KEY } from '../../given/paymentSandbox.ts';

export type Refusal = { readonly name: string; readonly status: number; readonly answer: unknown };

type Wish = {
  readonly method?: string;
  readonly key?: string;
  readonly body?: Record<string, string>;
  readonly idempotencyKey?: string;
};

export async function refuseAll(sandbox: GivenSandbox): Promise<readonly Refusal[]> {
  const call = async (
    name: string,
    path: string,
    { method = 'POST', key = SECRET_KEY, body, idempotencyKey }: Wish,
  ): Promise<Refusal> => {
    const response = await fetch(`${sandbox.url}/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body ? { body: new URLSearchParams(body) } : {}),
    });
    return { name, status: response.status, answer: await response.json() };
  };
  const intent = { amount: '5000', currency: 'usd', confirm: 'true', return_url: 'https://shop.example/back' };
  const refusals = [
    await call('a wrong key', 'customers', { key: 'sk_wrong', body: {} }),
    await call('an unknown customer', 'customers/cus_none', { method: 'GET' }),
    await call('an unknown address', 'nothing', { method: 'GET' }),
    await call('an unknown parameter', 'customers', { body: { shoe_size: '42' } }),
    await call('a missing parameter', 'payment_intents', { body: { amount: '5000' } }),
    await call('a declined card', 'payment_intents', {
      body: { ...intent, payment_method: 'pm_card_visa_chargeDeclined' },
    }),
    await call('a customer under a key', 'customers', { body: { name: 'Ada' }, idempotencyKey: 'one' }),
    await call('another one under the same key', 'customers', { body: { name: 'Bob' }, idempotencyKey: 'one' }),
  ].filter(({ status }) => status !== 200);
  await sandbox.faults({ effect: 'rate_limit', times: 1, share: 1 });
  refusals.push(await call('too many calls', 'customers', { body: {} }));
  await sandbox.faults({ effect: 'server_error', times: 1, share: 1 });
  refusals.push(await call('a fault of its own', 'customers', { body: {} }));
  await sandbox.faults();
  return refusals;
}
