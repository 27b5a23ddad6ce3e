import { DomainError } from '../domain/decider.ts';

/** For `catch`: a refusal with one of these codes is fine, since somebody else was quicker. */
export function unlessRefused(...codes: readonly string[]): (error: unknown) => null {
  return (error) => {
    if (error instanceof DomainError && codes.includes(error.code)) return null;
    throw error;
  };
}
