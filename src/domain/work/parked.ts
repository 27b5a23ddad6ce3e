/** What an operator asks for an event that a read model could not take: that the projector, wherever it runs, tries once more. */
import type { Decider } from '../decider.ts';
import type { ParkedEvent } from './events.ts';

/** `at` is the time of the command, UTC ISO. */
export type ParkedCommand = { readonly type: 'AskParkedRetry'; readonly model: string; readonly documentId: string; readonly at: string };

export const parkedStream = (model: string): string => `parked-${model}`;

/** Each wish counts: it may fail again, and be asked for again after the next repair. */
export const parkedDecider: Decider<null, ParkedCommand, ParkedEvent> = {
  initialState: () => null,
  evolve: (state) => state,
  decide: ({ model, documentId, at }) => [{ type: 'ParkedRetryAsked', data: { model, documentId, askedAt: at } }],
};
