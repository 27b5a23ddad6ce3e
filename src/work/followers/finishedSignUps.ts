/**
 * Completes interrupted sign-ups and proofs after an address was claimed or proven: the carried-over allowance, and
 * admin rights.
 */
import { carryAllowance } from '../../commands/account/carryAllowance.ts';
import { claimInstallation } from '../../commands/account/claimInstallation.ts';
import { isProof } from '../../commands/account/resetPassword.ts';
import type { ContextOf } from '../../commands/context.ts';
import { isOf } from '../../domain/stored/eventOf.ts';
import { type Follower, followerOf } from '../follower.ts';

export type FinishedSignUpsDeps = {
  readonly context: ContextOf;
  /** As in `signUp`. */
  readonly adminEmail: string | undefined;
};

export function createFinishedSignUps({ context, adminEmail }: FinishedSignUpsDeps): Follower {
  return followerOf({
    name: 'finishedSignUps',
    types: ['EmailClaimed', 'EmailContended', 'AccountEmailConfirmed', 'PasswordResetUsed'],
    // Not from the start: an account that had the address long before it was configured must not silently become an
    // admin.
    begins: 'a_day_back',
    async follow(event) {
      const { userId } = event.data;
      if (isOf(event, 'EmailClaimed', 'EmailContended'))
        await carryAllowance(context(event), { userId, stream: event.stream });
      else if (adminEmail === undefined || (isOf(event, 'PasswordResetUsed') && !isProof(event))) return;
      await claimInstallation(context(event), { userId, adminEmail });
    },
  });
}
