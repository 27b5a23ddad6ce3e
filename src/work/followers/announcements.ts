/** Queues a message for each webhook that was subscribed to an event when it happened. */
import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { endpointsNotified, queueDelivery } from '../../commands/webhooks/webhookDeliveries.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { type JobEvent, jobStream } from '../../domain/job/events.ts';
import type { PlanEvent } from '../../domain/plan/events.ts';
import type { EventOf } from '../../domain/stored/eventOf.ts';
import type { Recorded } from '../../eventStore/eventStore.ts';
import type { WebhookEvent } from '../../model/programs.ts';
import { type Follower, followerOf } from '../follower.ts';
import { known, type ReadAsOf } from '../known.ts';

/** The event names that receivers know. */
const ANNOUNCED = {
  JobCompleted: 'job.completed',
  JobPartiallyCompleted: 'job.completed',
  JobPartiallySucceeded: 'job.completed',
  ActionCompleted: 'action.completed',
} as const satisfies Partial<Record<(JobEvent | PlanEvent)['type'], WebhookEvent>>;

export type Announced = Recorded<EventOf<keyof typeof ANNOUNCED>>;

export type AnnouncementsDeps = {
  readonly context: ContextOf;
  readonly asOf: ReadAsOf;
  /** The payload for a receiver; null: there is nothing left to send. */
  readonly factsOf: (event: Announced) => Promise<object | null>;
  /** Whether a plan lets the user's webhook of that age work: what happens while none does is not sent later. */
  readonly isAllowed: (of: {
    readonly userId: string;
    readonly madeAt: string;
    readonly at: string;
  }) => Promise<boolean>;
};

export function createAnnouncements({ context, asOf, factsOf, isAllowed }: AnnouncementsDeps): Follower {
  return followerOf({
    name: 'announcements',
    types: ['JobCompleted', 'JobPartiallyCompleted', 'JobPartiallySucceeded', 'ActionCompleted'],
    begins: 'a_day_back',
    async follow(event) {
      const ctx = context(event);
      const name = ANNOUNCED[event.type];
      const { state: job } = await loadState(ctx.store, jobDecider, jobStream(event.data.jobId));
      if (job.status === 'none') return;
      const { userId } = job;
      const endpoints = await endpointsNotified(ctx.store, { userId, event: name, position: event.position });
      if (endpoints.length === 0) return;
      const data = await known(asOf, event.position, 'what a message to webhooks says', () => factsOf(event));
      if (data === null) return;
      for (const { endpointId, addedAt } of endpoints) {
        if (!(await isAllowed({ userId, madeAt: addedAt, at: ctx.now() }))) continue;
        const message = { event: name, createdAt: event.metadata.at, data };
        await queueDelivery(ctx, { userId, endpointId, causeId: event.id, message });
      }
    },
  });
}
