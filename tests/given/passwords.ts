/**
 * Passwords without the hashing cost; the real ones are tested in `tests/integrations/passwords.test.ts` and
 * `tests/http/auth.test.ts`.
 */
import { createHash } from 'node:crypto';
import type { Passwords } from '../../src/integrations/passwords.ts';
import { passwordForms, storedPasswordForm } from '../../src/model/passwordForms.ts';

/** Starts like a real hash, so that tests notice a leak. */
const hashOf = (password: string): string =>
  `$argon2id$quick$${createHash('sha256').update(password).digest('base64url')}`;

export const quickPasswords: Passwords = {
  hash: async (password) => hashOf(storedPasswordForm(password)),
  verify: async (hash, password) => passwordForms(password).some((form) => hash === hashOf(form)),
};
