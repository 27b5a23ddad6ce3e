/** In a file of its own because every page that may show the note loads it, and few show it. */
import type { Profile } from '../../../src/http/contract/auth.ts';

export interface EmailNoteProps {
  email: string;
  profile: Pick<Profile, 'id' | 'email_state' | 'pending_email'>;
}

/** Whether anything needs doing about the email. */
export const needsEmailNote = ({ email_state: state, pending_email: pending }: EmailNoteProps['profile']): boolean => state !== 'confirmed' || pending !== null;
