import { describe, expect, it } from 'vitest';
import { AdminRequest, operateAdmins } from '../../src/start/operateAdmins.ts';
import { userOf, withAdmin } from '../given/commands.ts';
import { turnSecondFactor } from '../given/secondFactor.ts';

const request = (action: AdminRequest['action'], email = 'Ann@Example.com', id = `${action}-1`): AdminRequest => ({
  action,
  id,
  email,
});

describe('admin rights, by an operator', () => {
  it('are granted and revoked by the address in any case', async () => {
    const made = await withAdmin();
    await userOf(made);
    expect(await operateAdmins(made.store, null, request('grant'))).toEqual({ changed: true });
    expect(await operateAdmins(made.store, null, request('grant', undefined, 'grant-2'))).toEqual({ changed: false });
    expect(await operateAdmins(made.store, null, request('revoke'))).toEqual({ changed: true });
    const changes = (await made.log()).filter(({ type }) => type.startsWith('AccountAdmin')).slice(1);
    expect(changes.map(({ type, metadata }) => [type, metadata.actor])).toEqual([
      ['AccountAdminGranted', { kind: 'system', id: 'operator' }],
      ['AccountAdminRevoked', { kind: 'system', id: 'operator' }],
    ]);
  });

  it('include a reset for lost phones', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    expect(await operateAdmins(made.store, null, request('reset-mfa'))).toEqual({ changed: false });
    await turnSecondFactor(made.context(), { userId, on: true });
    expect(await operateAdmins(made.store, null, request('reset-mfa', undefined, 'reset-2'))).toEqual({
      changed: true,
    });
    expect((await made.log()).at(-2)).toMatchObject({
      type: 'AccountSessionsEnded',
      data: { userId, keptSessionId: null },
    });
    expect((await made.log()).at(-1)).toMatchObject({
      type: 'SecondFactorRemoved',
      data: { userId, reason: 'operator' },
      metadata: { actor: { kind: 'system', id: 'operator' } },
    });
  });

  it('are refused with a reason', async () => {
    const made = await withAdmin();
    await expect(operateAdmins(made.store, null, request('grant', 'nobody@example.com'))).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
    });
    await expect(operateAdmins(made.store, null, request('revoke', 'admin@example.com'))).rejects.toMatchObject({
      code: 'LAST_ADMIN',
    });
    await expect(
      operateAdmins(made.store, 'admin@example.com', request('revoke', 'admin@example.com')),
    ).rejects.toMatchObject({ code: 'ADMIN_CONFIGURED' });
  });

  it('accept no other request', () => {
    for (const wrong of [{ email: '' }, { id: '' }, { action: 'delete' }, { more: 1 }])
      expect([wrong, AdminRequest.safeParse({ ...request('grant'), ...wrong }).success]).toEqual([wrong, false]);
  });
});
