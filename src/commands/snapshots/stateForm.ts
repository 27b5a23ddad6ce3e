/** How the state of a fold is written down and read again, so that it can be kept outside of the process. */
export type StateForm<State> = {
  /** Of the fold, as snapshots are named by it. */
  readonly name: string;
  /** Raised whenever the same events lead to another state, or the same state is written in another way. */
  readonly version: number;
  /** The fold's own function, by which its form is found. */
  readonly evolve: (state: State, event: never) => State;
  /**
   * JSON values, each a millisecond's work or so: others have their turn between two of them. Whatever is folded on from the state meanwhile, the parts say
   * what it was.
   */
  readonly partsOf: (state: State) => Iterable<object>;
  readonly read: () => StateReader<State>;
};

/** Of whatever state: whoever asks knows the fold that it belongs to. */
export type AnyStateForm = Pick<StateForm<unknown>, 'name' | 'version' | 'read'> & {
  readonly evolve: (state: never, event: never) => unknown;
  readonly partsOf: (state: never) => Iterable<object>;
};

export type StateReader<State> = {
  /** The next part. @throws when it is not in the shape */
  take(part: unknown): void;
  /** After the last part. @throws when something is missing */
  state(): State;
};
