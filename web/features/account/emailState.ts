/** In a file of its own because every page that may show the note loads it, and few show it. */
import type { Profile } from '../../../src/http/contract/auth.ts';

export interface EmailNoteProps {
  email: string;
  profile: Pick<Profile, 'id' | 'email_state' | 'pending_email' | 'email_required_from'>;
}

/** Whether anything needs doing about the email. */
export const needsEmailNote = ({ email_state: state, pending_email: pending }: EmailNoteProps['profile']): boolean =>
  state !== 'confirmed' || pending !== null;

/** An email to an address that now belongs to another account is useless. */
export const canResend = ({ email_state: state, pending_email: pending }: EmailNoteProps['profile']): boolean =>
  state !== 'lost' || pending !== null;

/**
 * Until when an account from before the rule may go on without a confirmed email; null for all others, and once the
 * time is over.
 */
export function confirmsBy({ email_required_from: from }: EmailNoteProps['profile'], now = Date.now()): string | null {
  return from !== undefined && now < Date.parse(from) ? from : null;
}
