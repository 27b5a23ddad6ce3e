import { describe, expect, it } from 'vitest';
import { recordLook } from '../../src/commands/admin/recordLook.ts';
import { userOf, withAdmin } from '../given/commands.ts';

describe('recording that an admin viewed another user’s data', () => {
  it('happens once per thing and day', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const look = { adminId: 'admin-1', userId, thing: 'job', thingId: 'job-1' } as const;
    await recordLook(made.context(), look);
    await recordLook(made.context(), look);
    await recordLook(made.context(), { ...look, thing: 'report' });
    await recordLook({ ...made.context(), now: () => '2099-01-01T00:00:00.000Z' }, look);
    const looks = (await made.log()).filter(({ type }) => type === 'AdminLooked').map(({ data }) => data);
    expect(looks).toMatchObject([
      look,
      { ...look, thing: 'report' },
      { ...look, lookedAt: '2099-01-01T00:00:00.000Z' },
    ]);
  });
});
