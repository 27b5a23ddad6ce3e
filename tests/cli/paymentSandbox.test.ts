/** `npm run payment-sandbox`, run as a user runs it, and its data after a kill. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stripeOf } from '../given/paymentSandbox.ts';
import { builtProgram, type RunningProcess, startProcess } from '../given/product/processes.ts';

let data: string;
let running: RunningProcess[] = [];
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'payment-sandbox-'));
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.kill()));
  running = [];
  rmSync(data, { recursive: true });
});

async function start(...args: readonly string[]): Promise<{ process: RunningProcess; stripe: Stripe }> {
  const process = startProcess({
    name: 'payment-sandbox',
    entry: builtProgram('paymentSandbox'),
    args: ['--port', '0', '--data', data, ...args],
    started: /Payment sandbox on (http:\S+):/,
  });
  running.push(process);
  const { url } = await process.started;
  await expect.poll(() => process.output()).toMatch(/secret key +sk_sandbox_\w+\s/);
  const key = /secret key +(\S+)/.exec(process.output())?.[1] ?? '';
  return { process, stripe: stripeOf(url, key) };
}

it('loses no answered payment when it is killed', async () => {
  const first = await start();
  const answered: string[] = [];
  const paying = Array.from({ length: 60 }, async (_, index) => {
    const intent = await first.stripe.paymentIntents.create(
      { amount: 500, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' },
      { idempotencyKey: `key-${index}` },
    );
    answered.push(intent.id);
    if (answered.length === 20) await first.process.kill();
  });
  const ends = await Promise.allSettled(paying);
  expect(answered.length).toBeGreaterThanOrEqual(20);
  expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);

  const second = await start();
  const again = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      second.stripe.paymentIntents.create(
        { amount: 500, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' },
        { idempotencyKey: `key-${index}` },
      ),
    ),
  );
  const ids = again.map(({ id }) => id);
  expect(answered.filter((id) => !ids.includes(id))).toEqual([]);
  expect(again.every(({ status }) => status === 'succeeded')).toBe(true);
  const charges: string[] = [];
  for await (const charge of second.stripe.charges.list({ limit: 100 })) charges.push(charge.id);
  // Charged once each, however often they were requested.
  expect(charges).toHaveLength(60);
  expect(await second.process.stop()).toBe(0);
});

it('explains an invalid argument', async () => {
  const wrong = startProcess({
    name: 'payment-sandbox',
    entry: builtProgram('paymentSandbox'),
    args: ['--data', data, '--webhook', 'localhost/hook'],
    started: /never (.)/,
  });
  await expect(wrong.started).rejects.toThrow();
  expect(wrong.stderr()).toContain('It is an address that begins with http:// or https://.');
});
