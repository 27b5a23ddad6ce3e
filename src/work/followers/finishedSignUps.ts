/** Gives the first account, or the configured one, its right to administer where the sign-up broke off before that. */
import { claimInstallation } from '../../commands/account/claimInstallation.ts';
import type { CommandContext } from '../../commands/context.ts';
import type { Follower } from '../follower.ts';

export type FinishedSignUpsDeps = {
  readonly context: () => CommandContext;
  /** As `signUp` has it. */
  readonly adminEmail: string | undefined;
};

export function createFinishedSignUps({ context, adminEmail }: FinishedSignUpsDeps): Follower {
  return {
    name: 'finishedSignUps',
    types: ['EmailClaimed'],
    // Not from the start: an account that had the configured address long before it was configured is not to become admin behind everybody's back.
    begins: 'a_day_back',
    async follow({ data }) {
      const { userId } = data as { readonly userId: string };
      await claimInstallation(context(), { userId, adminEmail });
    },
  };
}
