import { loadState } from '../../../commands/handle.ts';
import { sequenceStream } from '../../../domain/sequence/events.ts';
import { sequenceDecider } from '../../../domain/sequence/sequence.ts';
import type { DataOf } from '../../../domain/stored/eventOf.ts';
import type { EventStore } from '../../../eventStore/eventStore.ts';
import { type ComposeDeps, type Draft, reachable } from '../draft.ts';
import { sequenceMail, testFooter } from './sequenceMail.ts';

/** Renders the current template with the data of the admin who requested it. */
export async function sequenceTest(
  deps: ComposeDeps,
  store: EventStore,
  { userId, sequenceId, templateId }: DataOf<'SequenceTestAsked'>,
): Promise<Draft> {
  const account = await reachable(store, userId);
  if ('drop' in account) return account;
  const { state } = await loadState(store, sequenceDecider, sequenceStream(sequenceId));
  const template =
    state.status === 'there' ? state.templates.find((each) => each.templateId === templateId) : undefined;
  if (!template) return { userId, drop: 'gone' };
  return {
    userId,
    to: account.email,
    canTurnOff: false,
    write: () => sequenceMail(deps, template, account, testFooter),
  };
}
