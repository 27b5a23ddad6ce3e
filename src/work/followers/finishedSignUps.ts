/** Gives the first account, or the configured one, its right to administer where the sign-up broke off before that. */
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
    types: ['EmailClaimed'],
    // Not from the start: an account that had the configured address long before it was configured is not to become admin behind everybody's back.
    begins: 'a_day_back',
    async follow(event) {
      const { userId } = event.data;
      await claimInstallation(context(event), { userId, adminEmail });
    },
  });
}
