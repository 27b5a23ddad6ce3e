import { describe, expect, it } from 'vitest';
import { can } from '../../../src/domain/job/access.ts';

const job = { userId: 'user-1' };
const actions = ['read', 'readFile', 'cancel', 'delete'] as const;

describe('access to a job', () => {
  it('is its owner’s in everything', () =>
    expect(actions.map((action) => can({ userId: 'user-1', isAdmin: false }, action, job))).toEqual([true, true, true, true]));
  it('is nobody else’s', () => expect(actions.map((action) => can({ userId: 'user-2', isAdmin: false }, action, job))).toEqual([false, false, false, false]));
  it('lets an admin see it, and no more', () =>
    expect(actions.map((action) => can({ userId: 'user-2', isAdmin: true }, action, job))).toEqual([true, false, false, false]));
});
