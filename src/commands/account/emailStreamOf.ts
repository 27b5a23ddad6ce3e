import { createHash } from 'node:crypto';
import { emailStream } from '../../domain/account/events.ts';
import { normaliseEmail } from '../../model/emailAddress.ts';

/** The stream of an address's claim, whatever the spelling. */
export function emailStreamOf(email: string): string {
  return emailStream(createHash('sha256').update(normaliseEmail(email)).digest('hex'));
}
