/** What follows from the claim of an address where the sign-up broke off before: what is carried over of the allowance, and the right to administer. */
import { carryAllowance } from '../../commands/account/carryAllowance.ts';
import { claimInstallation } from '../../commands/account/claimInstallation.ts';
import type { ContextOf } from '../../commands/context.ts';
import { type Follower, followerOf } from '../follower.ts';

export type FinishedSignUpsDeps = {
  readonly context: ContextOf;
  /** As `signUp` has it. */
  readonly adminEmail: string | undefined;
};

export function createFinishedSignUps({ context, adminEmail }: FinishedSignUpsDeps): Follower {
  return followerOf({
    name: 'finishedSignUps',
    types: ['EmailClaimed', 'EmailContended'],
    // Not from the start: an account that had the configured address long before it was configured is not to become admin behind everybody's back.
    begins: 'a_day_back',
    async follow(event) {
      const { userId } = event.data;
      await carryAllowance(context(event), { userId, stream: event.stream });
      await claimInstallation(context(event), { userId, adminEmail });
    },
  });
}
