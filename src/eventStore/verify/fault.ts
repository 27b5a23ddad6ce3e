import type { RecordedEvent } from '../eventStore.ts';

/** What of a log is proven: each is asked for by its name in the table of `docs/operations.md`. */
export type Check = 'shape' | 'chain' | 'order' | 'ids' | 'checkpoint' | 'references';

/** What is wrong, and where. No value of an event is shown. */
export type Fault = Pick<RecordedEvent, 'position' | 'stream' | 'type'> & { readonly check: Check; readonly revision: string; readonly text: string };

type Place = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'revision'>;

export const faultAt = ({ position, stream, type, revision }: Place, check: Check, text: string): Fault => ({
  ...{ position, stream, type, revision: String(revision) },
  check,
  text,
});
