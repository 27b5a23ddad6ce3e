/** Ends the sequences of who turned such mails off, or whose address turned out to be another's. Each mail asks again before it is sent. */
import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { stopSequenceMails } from '../../commands/sequence/enrolments.ts';
import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { type Follower, followerOf } from '../follower.ts';

export function createSequenceStops({ context }: { readonly context: ContextOf }): Follower {
  return followerOf({
    name: 'sequenceStops',
    types: ['AccountMailChoiceSet', 'AccountEmailLost'],
    begins: 'at_the_start',
    async follow(event) {
      const { userId } = event.data;
      const ctx = context(event);
      // As it is now: who has changed their mind since keeps what began then.
      const { state } = await loadState(ctx.store, accountDecider, accountStream(userId));
      if (state.status !== 'active') return;
      if (state.unwantedMails.includes('sequence')) await stopSequenceMails(ctx, { userId, reason: 'turned_off' });
      else if (state.emailProof === 'lost') await stopSequenceMails(ctx, { userId, reason: 'not_confirmed' });
    },
  });
}
