import { EmailNote } from '../features/account/EmailNote.tsx';
import { useEmailNote } from './useEmailNote.ts';

/** Shown below the email on the account page. */
export function AccountEmailNote() {
  const shown = useEmailNote();
  return shown && <EmailNote {...shown} />;
}
