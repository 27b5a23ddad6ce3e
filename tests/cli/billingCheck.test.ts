/** `npm run billing:check`, run as a user runs it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordPayment } from '../../src/commands/billing/recordPayment.ts';
import { contextOf } from '../../src/commands/context.ts';
import { openStores, type Stores } from '../../src/start/openStores.ts';
import { runProgram } from '../given/product/program.ts';

let data: string;
let stores: Stores | null = null;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'books-'));
});
afterEach(async () => {
  await stop();
  rmSync(data, { recursive: true });
});

async function start(): Promise<Stores> {
  stores = await openStores({ servers: null, DATA_DIR: data }, pino({ level: 'silent' }));
  return stores;
}
async function stop(): Promise<void> {
  await stores?.close();
  stores = null;
}

const check = (env: Readonly<Record<string, string>> = {}) =>
  runProgram('billingCheck', [], { DATA_DIR: data, PORT: '0', ...env });

/** A payment in the bill that the provider never had. */
async function plant({ store }: Stores): Promise<void> {
  const ctx = contextOf(
    { store, now: () => '2026-01-31T12:00:00.000Z', commandId: 'planted', actor: { kind: 'system', id: 'test' } },
    null,
  );
  await recordPayment(ctx, {
    paymentIntentId: 'pi_planted',
    customerId: null,
    userId: 'ann',
    purpose: 'funds',
    status: 'succeeded',
    amount: 5_000,
    currency: 'usd',
    agreed: { quantity: 1, funds: 5_000, discountCode: null, codeUse: null },
    createdAt: '2026-01-31T12:00:00.000Z',
    refunds: [],
    disputes: [],
  });
}

it('compares with the sandbox while no server is running, lists the differences and changes nothing', async () => {
  await start();
  await stop();
  expect(await check()).toEqual({
    code: 0,
    output: "0 payments and 0 plans compared: the bills match the provider's records.\n",
  });
  await plant(await start());
  await stop();
  for (const _ of ['once', 'again']) {
    const { code, output } = await check();
    expect(code).toBe(1);
    expect(output).toContain('pi_planted');
    expect(output).toContain('1 payment and 0 plans compared: the bills and the provider differ.');
  }
});

it('asks the running server, which owns the data folder and the provider connection', async () => {
  const running = await start();
  expect(await check()).toEqual({ code: 1, output: 'Nothing is sold here, so there are no books to compare with.\n' });
  running.answerBooks(async () => ({
    payments: 3,
    plans: 1,
    differences: ['pi_1: the provider has $1.00, the bill nothing'],
  }));
  expect(await check()).toEqual({
    code: 1,
    output:
      'pi_1: the provider has $1.00, the bill nothing\n3 payments and 1 plan compared: the bills and the provider differ.\n',
  });
});

it('reports when there is nothing to compare', async () => {
  expect(await check()).toMatchObject({ code: 1, output: expect.stringContaining('There is no event log') });
  await start();
  await stop();
  expect(await check({ BILLING: 'off' })).toMatchObject({
    code: 1,
    output: 'Nothing is sold here, so there are no books to compare with.\n',
  });
});
