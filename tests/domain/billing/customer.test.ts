import { describe, expect, it } from 'vitest';
import { customerIn } from '../../../src/domain/billing/customer.ts';
import type { BillingCommand } from '../../../src/domain/billing/decide.ts';
import type { CustomerMode } from '../../../src/domain/billing/events.ts';
import { BUYER, billed, NOW } from '../../given/billing/facts.ts';

const linked = (customerId: string, mode: CustomerMode): BillingCommand => ({
  type: 'LinkCustomer',
  userId: BUYER,
  customerId,
  mode,
  at: NOW,
});

describe('a customer', () => {
  it('is linked once', () => {
    const { events } = billed(linked('cus_1', 'test'), linked('cus_1', 'test'));
    expect(events).toEqual([
      { type: 'CustomerLinked', data: { userId: BUYER, customerId: 'cus_1', mode: 'test', linkedAt: NOW } },
    ]);
  });

  it('is separate in each of the provider’s books, and unique within one', () => {
    const { customers } = billed(linked('cus_1', 'sandbox'), linked('cus_2', 'live'), linked('cus_3', 'live')).state;
    expect((['sandbox', 'live', 'test'] as const).map((mode) => customerIn(customers, mode))).toEqual([
      'cus_1',
      'cus_3',
      null,
    ]);
  });
});
