/** What every command is given from the edge: the store, the time, who asks, and the id that makes a repeat harmless. */
import type { EventStore } from '../eventStore/eventStore.ts';

export type CommandContext = {
  readonly store: EventStore;
  /** UTC ISO. */
  readonly now: () => string;
  /** UUID of this command. Sent again with the same id, it leads to the same events and ids, once. */
  readonly commandId: string;
  /** `user:{id}`, `worker:{name}` or `system`. No personal data. */
  readonly actor: string;
  readonly correlationId?: string;
};
