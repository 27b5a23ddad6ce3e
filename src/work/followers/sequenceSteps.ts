/** Schedules the first mail of who was enrolled, and the next one once a mail is done with. */
import type { ContextOf } from '../../commands/context.ts';
import { scheduleNext } from '../../commands/sequence/enrolments.ts';
import { type Follower, followerOf } from '../follower.ts';

export function createSequenceSteps({ context }: { readonly context: ContextOf }): Follower {
  return followerOf({
    name: 'sequenceSteps',
    types: ['SequenceEnrolled', 'SequenceMailSent', 'SequenceMailFailed', 'SequenceMailSkipped'],
    begins: 'at_the_start',
    follow: async (event) => scheduleNext(context(event), event.data),
  });
}
