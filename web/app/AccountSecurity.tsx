import { useDispatch } from 'react-redux';
import { SecuritySection } from '../features/account/SecuritySection.tsx';
import { emailChanged } from '../features/auth/authSlice.ts';
import { forgetSession } from '../features/auth/session.ts';

/** The account's security, and what of it this browser's own session must know. */
export function AccountSecurity({ email }: { email: string }) {
  const dispatch = useDispatch();
  return <SecuritySection email={email} onEmailChanged={(next) => void dispatch(emailChanged(next))} onLoggedOut={() => forgetSession({ dispatch })} />;
}
