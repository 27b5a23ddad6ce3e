/** Texts about an email that is not confirmed yet. */
import type { EmailNoteProps } from './emailState.ts';

export function emailWording({ email, profile: { email_state: state, pending_email: pending } }: EmailNoteProps): string {
  if (pending !== null) return `We sent a link to ${pending}. Your email changes once you open it.`;
  switch (state) {
    case 'unconfirmed':
      return `We sent a link to ${email}. Confirm your address to get emails.`;
    case 'contended':
      return `We sent a link to ${email}. Confirm your address to get emails and to log in with it: until then it belongs to an older account.`;
    case 'lost':
      return `${email} was confirmed by another account. Change your email to get emails and to be able to log in again.`;
    case 'confirmed':
      return '';
    default:
      return state satisfies never;
  }
}
