/** The whole contract of an aggregate: pure functions over plain records, no base class, no registration. */

/** A stored fact. `type` and `data` are a storage format: change them only by a new type or an upcast. */
export type DomainEvent = { readonly type: string; readonly data: object };

/** An aggregate: how state follows from events, and which events a command leads to. */
export type Decider<State, Command, Event extends DomainEvent> = {
  readonly initialState: () => State;
  /** Never throws: events are facts. Callers must never see a state change, however it is implemented. */
  readonly evolve: (state: State, event: Event) => State;
  /** Returns the command's events, or `[]` if it was already handled; throws `DomainError` when a rule forbids it. */
  readonly decide: (command: Command, state: State) => readonly Event[];
  /**
   * For streams that grow forever: from this many events on, the fold is kept in memory and only newer events are read.
   */
  readonly keptFrom?: number;
  /**
   * About how many bytes a kept state takes; without it, as many as the ids of its events. For states that hold texts.
   */
  readonly keptBytes?: (state: State) => number;
};

/** A broken rule. `code` is stable and asserted in tests; the HTTP layer alone maps it to a status. */
export class DomainError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
    this.details = details;
  }
}

/** Marks a `switch` over a union as complete: a new member fails to compile here. */
export function unreachable(value: never): never {
  throw new Error(`Unreachable: ${JSON.stringify(value)}`);
}
