import type { RecordedEvent } from '../eventStore.ts';

/** The properties of a log that are verified: each is explained under its name in the table of `docs/operations.md`. */
export type Check = 'shape' | 'chain' | 'order' | 'ids' | 'checkpoint' | 'references';

/** A fault and its location. Shows no values of events. */
export type Fault = Pick<RecordedEvent, 'position' | 'stream' | 'type'> & {
  readonly check: Check;
  readonly revision: string;
  readonly text: string;
};

type Place = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'revision'>;

export const faultAt = ({ position, stream, type, revision }: Place, check: Check, text: string): Fault => ({
  position,
  stream,
  type,
  revision: String(revision),
  check,
  text,
});
