/** Passwords that cost nothing: that they are kept well is proven of the real ones, in `tests/integrations/passwords.test.ts` and `tests/http/auth.test.ts`. */
import { createHash } from 'node:crypto';
import type { Passwords } from '../../src/integrations/passwords.ts';

/** Begins as a real one does, so that one that leaks is seen. */
const hashOf = (password: string): string => `$argon2id$quick$${createHash('sha256').update(password).digest('base64url')}`;

export const quickPasswords: Passwords = {
  hash: async (password) => hashOf(password),
  verify: async (hash, password) => hash === hashOf(password),
};
