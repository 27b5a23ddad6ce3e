/** Serializes a fold's state so that it can be stored outside the process. */
export type StateForm<State> = {
  /** Name of the fold, used to name its snapshots. */
  readonly name: string;
  /** Raise it whenever the same events lead to a different state, or the same state is serialized differently. */
  readonly version: number;
  /** The fold's own function, used to find its form. */
  readonly evolve: (state: State, event: never) => State;
  /**
   * JSON values, each about a millisecond's work; other work runs between two of them. They describe this state even if
   * later events are folded meanwhile.
   */
  readonly partsOf: (state: State) => Iterable<object>;
  readonly read: () => StateReader<State>;
};

/** For any state type: the caller knows the fold it belongs to. */
export type AnyStateForm = Pick<StateForm<unknown>, 'name' | 'version' | 'read'> & {
  readonly evolve: (state: never, event: never) => unknown;
  readonly partsOf: (state: never) => Iterable<object>;
};

export type StateReader<State> = {
  /** Reads the next part. @throws if it is malformed */
  take(part: unknown): void;
  /** Called after the last part. @throws if something is missing */
  state(): State;
};
