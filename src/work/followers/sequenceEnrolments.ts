/**
 * Enrolls users whose address was confirmed, whose first audit has a result, or whose plan has ended in the sequences
 * triggered by that.
 */
import type { ContextOf } from '../../commands/context.ts';
import { enrol } from '../../commands/sequence/enrolments.ts';
import type { EventType } from '../../domain/stored/eventOf.ts';
import type { SequenceTrigger } from '../../model/sequences.ts';
import { type Follower, followerOf } from '../follower.ts';
import { known, type ReadAsOf } from '../known.ts';

/** A user is enrolled only once: the first of several events counts. */
const TRIGGERS = {
  AccountEmailConfirmed: 'sign_up',
  // To a confirmed address, from one that was perhaps not.
  AccountEmailChanged: 'sign_up',
  JobCompleted: 'first_analysis',
  JobPartiallyCompleted: 'first_analysis',
  JobPartiallySucceeded: 'first_analysis',
  SubscriptionEnded: 'subscription_ended',
} as const satisfies Partial<Record<EventType, SequenceTrigger>>;

export type SequenceEnrolmentsDeps = {
  readonly context: ContextOf;
  readonly asOf: ReadAsOf;
  readonly activeSequences: (trigger: SequenceTrigger) => Promise<readonly string[]>;
};

export function createSequenceEnrolments({ context, asOf, activeSequences }: SequenceEnrolmentsDeps): Follower {
  return followerOf({
    name: 'sequenceEnrolments',
    types: [
      'AccountEmailConfirmed',
      'AccountEmailChanged',
      'JobCompleted',
      'JobPartiallyCompleted',
      'JobPartiallySucceeded',
      'SubscriptionEnded',
    ],
    begins: 'a_day_back',
    async follow(event) {
      const { userId } = event.data;
      if (userId === undefined) return;
      const trigger = TRIGGERS[event.type];
      const sequences = await known(asOf, event.position, 'the sequences that an event begins', () =>
        activeSequences(trigger),
      );
      for (const sequenceId of sequences)
        await enrol(context(event), { userId, sequenceId, trigger, triggeredAt: event.metadata.at });
    },
  });
}
