/** Texts about an email that is not confirmed yet. */
import { dayOf } from '../../ui/text/time.ts';
import { confirmsBy, type EmailNoteProps } from './emailState.ts';

export function emailWording({ email, profile }: EmailNoteProps): string {
  const what = whatToDo(email, profile);
  const by = confirmsBy(profile);
  if (by !== null)
    return `${what} Please do this by ${dayOf(by)}. After that, you’ll need a confirmed address to share audits or use more than your first free audit.`;
  if (profile.email_required_from !== undefined)
    return `${what} Until then, you can’t share audits or use more than your first free audit.`;
  return what;
}

function whatToDo(email: string, { email_state: state, pending_email: pending }: EmailNoteProps['profile']): string {
  if (pending !== null) return `We sent a link to ${pending}. Your email changes once you confirm it.`;
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
