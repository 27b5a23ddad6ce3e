import { describe, expect, it } from 'vitest';
import { loadState } from '../../src/commands/handle.ts';
import { billingDecider } from '../../src/domain/billing/decide.ts';
import { billingStream } from '../../src/domain/billing/events.ts';
import { BillRequest, operateBills } from '../../src/start/operateBills.ts';
import { userOf, withAdmin } from '../given/commands.ts';

const request: BillRequest = {
  action: 'grant-credits',
  id: 'grant-1',
  email: 'Ann@Example.com',
  credits: 3,
  reason: 'A gift',
};

describe('granting credits as an operator', () => {
  it('finds the account by its address in any case, and grants once', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    expect(await operateBills(made.store, request)).toEqual({ credits: 3 });
    expect(await operateBills(made.store, request)).toEqual({ credits: 3 });
    expect(await operateBills(made.store, { ...request, id: 'grant-2' })).toEqual({ credits: 6 });
    expect((await loadState(made.store, billingDecider, billingStream(userId))).state.credits).toBe(6);
    const granted = (await made.log()).filter(({ type }) => type === 'CreditsGranted');
    expect(granted.map(({ metadata }) => metadata.actor)).toEqual(Array(2).fill({ kind: 'system', id: 'operator' }));
  });

  it('is refused for an address without an account', async () => {
    const made = await withAdmin();
    await expect(operateBills(made.store, { ...request, email: 'nobody@example.com' })).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
    });
  });

  it('accepts no other request', () => {
    for (const wrong of [
      { credits: 0 },
      { credits: 1.5 },
      { credits: 10_001 },
      { reason: ' ' },
      { email: '' },
      { id: '' },
      { more: 1 },
    ])
      expect([wrong, BillRequest.safeParse({ ...request, ...wrong }).success]).toEqual([wrong, false]);
  });
});
