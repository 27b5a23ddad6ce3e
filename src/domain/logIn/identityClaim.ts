/** Whose account an identity at a single sign-on provider opens: of one at a time. */
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { IdentityClaimEvent } from './events.ts';

export type IdentityClaimState = { readonly userId: string | null };

/** `at` is the time of the command, UTC ISO. */
export type IdentityClaimCommand = {
  readonly type: 'ClaimIdentity' | 'ReleaseIdentity';
  readonly userId: string;
  readonly at: string;
};

export const identityClaimDecider: Decider<IdentityClaimState, IdentityClaimCommand, IdentityClaimEvent> = {
  initialState: () => ({ userId: null }),
  evolve(_state, event) {
    switch (event.type) {
      case 'IdentityClaimed':
        return { userId: event.data.userId };
      case 'IdentityReleased':
        return { userId: null };
      default:
        event satisfies never;
        return _state;
    }
  },
  decide({ type, userId, at }, state) {
    switch (type) {
      case 'ClaimIdentity':
        if (state.userId === userId) return [];
        if (state.userId !== null) throw identityTaken();
        return [{ type: 'IdentityClaimed', data: { userId, claimedAt: at } }];
      case 'ReleaseIdentity':
        return state.userId === userId ? [{ type: 'IdentityReleased', data: { userId, releasedAt: at } }] : [];
      default:
        return unreachable(type);
    }
  },
};

export const identityTaken = (): DomainError =>
  new DomainError('identity_already_exists', 'This identity already belongs to another account.');
