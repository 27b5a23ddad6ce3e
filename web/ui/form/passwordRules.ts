/** Equal to the contract's, which a test holds; the contract itself would bring its whole validator into the first download. */
export const PASSWORD_MIN_LENGTH = 6;

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
