/**
 * Ends the sequences of users who unsubscribed, or whose address turned out to be someone else's. Each email checks
 * again before it is sent.
 */

import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { stopSequenceMails } from '../../commands/sequence/enrolments.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { type Follower, followerOf } from '../follower.ts';

export function createSequenceStops({ context }: { readonly context: ContextOf }): Follower {
  return followerOf({
    name: 'sequenceStops',
    types: ['AccountMailChoiceSet', 'AccountEmailLost'],
    begins: 'at_the_start',
    async follow(event) {
      const { userId } = event.data;
      const ctx = context(event);
      // The current state: a user who has changed their mind since keeps sequences begun then.
      const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
      if (state.status !== 'active') return;
      if (state.unwantedMails.includes('sequence')) await stopSequenceMails(ctx, { userId, reason: 'turned_off' });
      else if (state.emailProof === 'lost') await stopSequenceMails(ctx, { userId, reason: 'not_confirmed' });
    },
  });
}
