/** `given(…past).when(command).then(…events)`: tests the decision on a command after past events. */
import { expect } from 'vitest';
import { type Decider, DomainError, type DomainEvent } from '../../src/domain/decider.ts';

type Outcome<Event> = {
  /** Exactly these events, in this order. */
  readonly then: (...events: readonly Event[]) => void;
  /** It was already done: no events. */
  readonly thenNothing: () => void;
  /** A rule forbids it; `details` are compared as far as given. */
  readonly thenRefused: (code: string, details?: Readonly<Record<string, unknown>>) => void;
};

export type Given<Command, Event> = { readonly when: (command: Command) => Outcome<Event> };

export function specOf<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
): (...past: readonly Event[]) => Given<Command, Event> {
  return (...past) => ({
    when(command) {
      const decide = (): readonly Event[] =>
        decider.decide(command, past.reduce(decider.evolve, decider.initialState()));
      return {
        // biome-ignore lint/suspicious/noThenProperty: reads as a sentence; an outcome is never awaited.
        then(...events) {
          expect(events.length, 'use thenNothing').toBeGreaterThan(0);
          expect(decide()).toEqual(events);
        },
        thenNothing() {
          expect(decide()).toEqual([]);
        },
        thenRefused(code, details = {}) {
          const refusal = thrownBy(decide);
          expect(refusal).toBeInstanceOf(DomainError);
          expect(refusal).toMatchObject({ code, details });
        },
      };
    },
  });
}

function thrownBy(action: () => unknown): unknown {
  try {
    return { done: action() };
  } catch (error) {
    return error;
  }
}
