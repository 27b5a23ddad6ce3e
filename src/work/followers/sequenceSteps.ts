/** Schedules the first email after enrollment, and the next one once an email is settled. */
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
