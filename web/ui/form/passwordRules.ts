import { PASSWORD_MIN_LENGTH, PASSWORD_TOO_SHORT } from '../../../src/model/limits.ts';

export interface PasswordProblems {
  readonly password?: string;
  readonly confirmation?: string;
}

export function passwordProblems(password: string, confirmation: string): PasswordProblems {
  return {
    ...(password.length < PASSWORD_MIN_LENGTH ? { password: PASSWORD_TOO_SHORT } : {}),
    ...(password !== confirmation ? { confirmation: 'Passwords do not match' } : {}),
  };
}
