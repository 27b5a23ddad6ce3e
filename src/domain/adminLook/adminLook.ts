/**
 * Records that an admin viewed another user's data. Kept even though nothing changed, because the owner has a right to
 * know.
 */
import type { Decider } from '../decider.ts';
import type { AdminLookEvent } from './events.ts';

export type AdminLookState = { readonly recorded: boolean };

/** `at` is the time of the command, UTC ISO. */
export type AdminLookCommand = {
  readonly type: 'RecordAdminLook';
  readonly look: Omit<AdminLookEvent['data'], 'lookedAt'>;
  readonly at: string;
};

export const adminLookDecider: Decider<AdminLookState, AdminLookCommand, AdminLookEvent> = {
  initialState: () => ({ recorded: false }),
  evolve: () => ({ recorded: true }),
  decide: ({ look, at }, { recorded }) => (recorded ? [] : [{ type: 'AdminLooked', data: { ...look, lookedAt: at } }]),
};
