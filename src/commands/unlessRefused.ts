import { DomainError } from '../domain/decider.ts';

/** For `catch`: ignores a `DomainError` with one of these codes, which means that someone else was faster. */
export function unlessRefused(...codes: readonly string[]): (error: unknown) => null {
  return (error) => {
    if (error instanceof DomainError && codes.includes(error.code)) return null;
    throw error;
  };
}
