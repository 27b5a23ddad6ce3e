/**
 * An operator's request to retry an event that a read model failed to apply; whichever process runs the projector
 * handles it.
 */
import type { Decider } from '../decider.ts';
import type { ParkedEvent } from './events.ts';

/** `at` is the time of the command, UTC ISO. */
export type ParkedCommand = {
  readonly type: 'AskParkedRetry';
  readonly model: string;
  readonly documentId: string;
  readonly at: string;
};

/** Every request counts: it may fail again, and be requested again after the next fix. */
export const parkedDecider: Decider<null, ParkedCommand, ParkedEvent> = {
  initialState: () => null,
  evolve: (state) => state,
  decide: ({ model, documentId, at }) => [{ type: 'ParkedRetryAsked', data: { model, documentId, askedAt: at } }],
};
