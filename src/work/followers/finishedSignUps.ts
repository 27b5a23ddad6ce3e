/** Completes interrupted sign-ups after an address was claimed: the carried-over allowance, and admin rights. */
import { carryAllowance } from '../../commands/account/carryAllowance.ts';
import { claimInstallation } from '../../commands/account/claimInstallation.ts';
import type { ContextOf } from '../../commands/context.ts';
import { type Follower, followerOf } from '../follower.ts';

export type FinishedSignUpsDeps = {
  readonly context: ContextOf;
  /** As in `signUp`. */
  readonly adminEmail: string | undefined;
};

export function createFinishedSignUps({ context, adminEmail }: FinishedSignUpsDeps): Follower {
  return followerOf({
    name: 'finishedSignUps',
    types: ['EmailClaimed', 'EmailContended'],
    // Not from the start: an account that had the address long before it was configured must not silently become an admin.
    begins: 'a_day_back',
    async follow(event) {
      const { userId } = event.data;
      await carryAllowance(context(event), { userId, stream: event.stream });
      await claimInstallation(context(event), { userId, adminEmail });
    },
  });
}
