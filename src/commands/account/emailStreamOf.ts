import { createHash } from 'node:crypto';
import { normaliseEmail } from '../../domain/account/account.ts';
import { emailStream } from '../../domain/account/email.ts';

/** The stream of an address's claim, whatever the spelling. */
export function emailStreamOf(email: string): string {
  return emailStream(createHash('sha256').update(normaliseEmail(email)).digest('hex'));
}
