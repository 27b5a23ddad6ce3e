/** Explains the figures of a 402 response in words. */
import { DomainError } from '../../domain/decider.ts';

export function withReason(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== 'INSUFFICIENT_CREDITS' || error.details.reason !== undefined)
    throw error;
  const { credits_required: required, credits_available: left } = error.details;
  const reason = `This takes ${required} ${required === 1 ? 'audit' : 'audits'}; you have ${left} left.`;
  throw new DomainError(error.code, error.message, { ...error.details, reason });
}
