/**
 * A fault that a tired engineer could make: one exact text replaced by another. It compiles, and a test must notice it.
 */
export type Fault = {
  readonly id: string;
  /** What a user or an operator would suffer. */
  readonly what: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The quickest test files that find it. */
  readonly tests: readonly string[];
};
