import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../../src/commands/account/eraseAccount.ts';
import { ensureCustomer } from '../../../src/commands/billing/ensureCustomer.ts';
import { PaymentFault } from '../../../src/integrations/payments/payments.ts';
import { createForgottenCustomers } from '../../../src/work/followers/forgottenCustomers.ts';
import { type CustomerBooks, customerBooks } from '../../given/billing/customerBooks.ts';
import { type Product, product, userOf } from '../../given/commands.ts';
import { followLog } from '../../given/work/following.ts';

const follow = (made: Product, payments: CustomerBooks | null) =>
  followLog(made.store, createForgottenCustomers({ context: made.context, payments }));
const erase = (made: Product, userId: string) => eraseAccount(made.context(), { userId, owned: async function* () {} });

async function customerOf(made: Product, payments: CustomerBooks): Promise<string> {
  const userId = await userOf(made);
  await ensureCustomer(made.context(), { userId, payments });
  return userId;
}

describe('the payment customer of a deleted account', () => {
  it('is erased, even when all else is erased already; another account’s is not', async () => {
    const made = product();
    const books = customerBooks();
    const userId = await customerOf(made, books);
    const bob = await userOf(made, 'bob@example.com');
    await ensureCustomer(made.context(), { userId: bob, payments: books });
    await deleteAccount(made.context(), { userId });
    await erase(made, userId);
    for (let nth = 0; nth < 2; nth += 1) await follow(made, books);
    expect([...books.known.values()]).toEqual([bob]);
  });

  it('is erased even if it was being created at that moment', async () => {
    const made = product();
    const books = customerBooks();
    const userId = await userOf(made);
    const deleting: CustomerBooks = {
      ...books,
      makeCustomer: async (of) => {
        const answer = await books.makeCustomer(of);
        await deleteAccount(made.context(), { userId });
        await follow(made, books);
        return answer;
      },
    };
    await ensureCustomer(made.context(), { userId, payments: deleting });
    expect(books.known.size).toBe(1);
    await follow(made, books);
    expect(books.known.size).toBe(0);
  });

  it('is retried while the provider is down', async () => {
    const made = product();
    const books = customerBooks();
    await deleteAccount(made.context(), { userId: await customerOf(made, books) });
    books.away(true);
    await expect(follow(made, books)).rejects.toThrow(PaymentFault);
    books.away(false);
    await follow(made, books);
    expect(books.known.size).toBe(0);
  });

  it('is not skipped while its books are not in use; sandbox customers need no erasure', async () => {
    const made = product();
    await deleteAccount(made.context(), { userId: await customerOf(made, customerBooks('test')) });
    await expect(follow(made, null)).rejects.toThrow('test books');
    await expect(follow(made, customerBooks('live'))).rejects.toThrow('test books');
    const other = product();
    await deleteAccount(other.context(), { userId: await customerOf(other, customerBooks('sandbox')) });
    await follow(other, null);
    await follow(other, customerBooks('live'));
  });
});
