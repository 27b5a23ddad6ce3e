import { PASSWORD_MIN_LENGTH } from '../../../src/model/limits.ts';

export interface PasswordProblems {
  readonly password?: string;
  readonly confirmation?: string;
}

export function passwordProblems(password: string, confirmation: string): PasswordProblems {
  return {
    ...(password.length < PASSWORD_MIN_LENGTH ? { password: `Password must be at least ${PASSWORD_MIN_LENGTH} characters long` } : {}),
    ...(password !== confirmation ? { confirmation: 'Passwords do not match' } : {}),
  };
}
