/** Sequences on real stores: users who sign up, followers, and workers for due mails, with a manual clock. */
import { randomUUID } from 'node:crypto';
import { signUp } from '../../../src/commands/account/signUp.ts';
import { addTemplate, createSequence, editSequence } from '../../../src/commands/sequence/sequences.ts';
import { type EventStore, type Position, START } from '../../../src/eventStore/eventStore.ts';
import type { Mailer } from '../../../src/integrations/mailer/mailer.ts';
import type { SequenceTrigger } from '../../../src/model/sequences.ts';
import { lastActiveAt, listQuiet } from '../../../src/projections/sequences/sequenceRecipients.ts';
import { listActiveSequences } from '../../../src/projections/sequences/sequences.ts';
import type { Follower } from '../../../src/work/follower.ts';
import { createSequenceEnrolments } from '../../../src/work/followers/sequenceEnrolments.ts';
import { createSequenceSteps } from '../../../src/work/followers/sequenceSteps.ts';
import { createSequenceStops } from '../../../src/work/followers/sequenceStops.ts';
import { SEQUENCE_MAIL, sequenceMailKind } from '../../../src/work/kinds/sequenceMail.ts';
import { known, readAsOf } from '../../../src/work/known.ts';
import { createInactiveUsers } from '../../../src/work/sweeps/inactiveUsers.ts';
import type { Product } from '../commands.ts';
import { still } from './following.ts';
import { append, deliveryDeps } from './mailDelivery.ts';
import type { Work } from './work.ts';

const MODELS = ['sequences', 'sequenceRecipients'];

export type SequenceWorld = ReturnType<typeof sequenceWorld>;

/** The followers and sweeps of a test, each event once, with the product's own read models. */
export function sequenceWorld(work: Work) {
  const { made, readModels } = work;
  const followed = new Map<string, Position>();
  const asOf = readAsOf(readModels, MODELS, 5_000);

  const followersOn = (store: EventStore): readonly Follower[] => {
    const context = () => made.context(randomUUID(), store);
    return [
      createSequenceEnrolments({
        context,
        asOf,
        activeSequences: (trigger) => listActiveSequences(readModels, trigger),
      }),
      createSequenceSteps({ context }),
      createSequenceStops({ context }),
    ];
  };

  /** Runs until nothing new follows. The next call resumes after a store failure. */
  async function follow(store: EventStore = made.store): Promise<void> {
    for (let again = true; again; ) {
      again = false;
      for (const follower of followersOn(store)) {
        const after = followed.get(follower.name) ?? START;
        const { events } = await made.store.readAll({ after, limit: 500, filter: { types: follower.types } });
        for (const event of events) {
          await follower.follow(event, still);
          followed.set(follower.name, event.position);
          again = true;
        }
      }
    }
  }

  const sweep = (store: EventStore = made.store) =>
    createInactiveUsers({
      context: () => made.context(randomUUID(), store),
      asOf,
      activeSequences: () => listActiveSequences(readModels, 'inactive_14_days'),
      listQuiet: async (range, cursor) => {
        const page = await listQuiet(readModels, { ...range, limit: 2, ...(cursor === null ? {} : { cursor }) });
        return { users: page.documents.map(({ data }) => data), cursor: page.cursor };
      },
    });

  const kindOf = (mailer: Mailer | null, store: EventStore = made.store) =>
    sequenceMailKind(
      {
        ...deliveryDeps(made, mailer, store),
        lastActiveAt: async (userId) =>
          known(asOf, await made.store.head(), 'the last activity', () => lastActiveAt(readModels, userId)),
      },
      { random: () => 0.5 },
    );

  return { follow, sweep, kindOf, waiting: () => work.listed(SEQUENCE_MAIL) };
}

/** An active sequence with these delays between its steps. */
export async function activeSequence(
  { context }: Pick<Product, 'context'>,
  delays: readonly number[],
  trigger: SequenceTrigger = 'sign_up',
): Promise<{ readonly sequenceId: string; readonly templateIds: readonly string[] }> {
  const { sequenceId } = await createSequence(context(), { name: 'Welcome', description: '', trigger });
  const templateIds: string[] = [];
  for (const [nth, delayDays] of delays.entries()) {
    const texts = {
      name: `Step ${nth + 1}`,
      subject: `${trigger} ${nth + 1} for {{user_name}}`,
      content: 'Hi {{user_name}}',
    };
    templateIds.push((await addTemplate(context(), { sequenceId, ...texts, delayDays, isActive: true })).templateId);
  }
  await editSequence(context(), { sequenceId, isActive: true });
  return { sequenceId, templateIds };
}

/** An account with an unconfirmed address, and a way to confirm it. */
export async function unprovenUser(
  made: Product,
  email: string,
  name = 'Ann',
): Promise<{ readonly userId: string; readonly prove: () => Promise<unknown> }> {
  const { userId } = await signUp(made.context(), { email, name, passwordHash: 'hash', asksProof: true });
  const prove = async (): Promise<void> => {
    await append(made, `account-${userId}`, {
      type: 'AccountEmailConfirmed',
      data: { userId, email, confirmedAt: made.now() },
    });
  };
  return { userId, prove };
}

export async function provenUser(made: Product, email: string, name?: string): Promise<string> {
  const { userId, prove } = await unprovenUser(made, email, name);
  await prove();
  return userId;
}
