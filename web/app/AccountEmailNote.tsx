import { EmailNote } from '../features/account/EmailNote.tsx';
import { useEmailNote } from './useEmailNote.ts';

/** Below the address on the account page. */
export function AccountEmailNote() {
  const shown = useEmailNote();
  return shown && <EmailNote {...shown} />;
}
