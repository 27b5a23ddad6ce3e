import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { ensureCustomer } from '../../../src/commands/billing/ensureCustomer.ts';
import { PaymentFault } from '../../../src/integrations/payments/payments.ts';
import { NotYet } from '../../../src/work/follower.ts';
import { createMadeCustomers } from '../../../src/work/followers/madeCustomers.ts';
import { type CustomerBooks, customerBooks } from '../../given/billing/customerBooks.ts';
import { type Product, product, userOf } from '../../given/commands.ts';
import { followLog } from '../../given/work/following.ts';

const follow = (made: Product, payments: CustomerBooks | null) =>
  followLog(made.store, createMadeCustomers({ context: made.context, payments }));
const links = (made: Product) => made.types('billing-');

describe('an account without a payment customer', () => {
  it('gets one, once', async () => {
    const made = product();
    const books = customerBooks();
    const userId = await userOf(made);
    made.pass(1);
    for (let nth = 0; nth < 2; nth += 1) await follow(made, books);
    expect(books.made).toEqual([{ userId, email: 'ann@example.com' }]);
    expect(await links(made)).toEqual(['CustomerLinked']);
  });

  it('is left to its sign-up for a moment', async () => {
    const made = product();
    const books = customerBooks();
    await userOf(made);
    await expect(follow(made, books)).rejects.toThrow(NotYet);
    expect(books.made).toEqual([]);
  });

  it('is ignored after its deletion, and where nothing is sold', async () => {
    const made = product();
    const books = customerBooks();
    const userId = await userOf(made);
    await follow(made, null);
    await deleteAccount(made.context(), { userId });
    made.pass(1);
    await follow(made, books);
    expect([books.made, await links(made)]).toEqual([[], []]);
  });

  it('is retried while the provider is down', async () => {
    const made = product();
    const books = customerBooks();
    await userOf(made);
    made.pass(1);
    books.away(true);
    await expect(follow(made, books)).rejects.toThrow(PaymentFault);
    books.away(false);
    await follow(made, books);
    expect(await links(made)).toEqual(['CustomerLinked']);
  });
});

describe('a payment customer', () => {
  it('is the same for concurrent requests', async () => {
    const made = product();
    const books = customerBooks();
    const userId = await userOf(made);
    const ids = await Promise.all([1, 2, 3].map(() => ensureCustomer(made.context(), { userId, payments: books })));
    expect([new Set(ids).size, books.made.length, await links(made)]).toEqual([1, 1, ['CustomerLinked']]);
  });

  it('is created again in other books, and when the provider no longer knows it', async () => {
    const made = product();
    const [sandbox, live] = [customerBooks('sandbox'), customerBooks('live')];
    const userId = await userOf(made);
    const first = await ensureCustomer(made.context(), { userId, payments: sandbox });
    const second = await ensureCustomer(made.context(), { userId, payments: live });
    await live.forgetCustomer(second);
    const third = await ensureCustomer(made.context(), { userId, payments: live });
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await ensureCustomer(made.context(), { userId, payments: live })).toBe(third);
    expect(await ensureCustomer(made.context(), { userId, payments: sandbox })).toBe(first);
    expect(await links(made)).toEqual(['CustomerLinked', 'CustomerLinked', 'CustomerLinked']);
  });
});
