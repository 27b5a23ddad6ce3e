import { asFailure } from '../../../api/failure.ts';

/** The server's message, or a text for the status. */
export function failureText(error: unknown): string {
  const { message, status } = asFailure(error);
  return message || httpError(status);
}

export const httpError = (status: number): string => (status === 0 ? 'Network error. Please try again.' : `HTTP error! status: ${status}`);
