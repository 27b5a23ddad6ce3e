import { useSelector, useStore } from 'react-redux';
import { raiseSessionEvent } from '../api/sessionEvents.ts';
import { SecuritySection } from '../features/account/SecuritySection.tsx';
import { emailChanged, selectAuth } from '../features/auth/authSlice.ts';
import { forgetSession } from '../features/auth/forgetSession.ts';
import { refreshProfile } from '../features/auth/session.ts';
import type { AppStore } from './store.ts';

/** The account's security, keeping this browser's session in sync with changes. */
export function AccountSecurity({ email }: { email: string }) {
  const store = useStore() as AppStore;
  const { dispatch } = store;
  const hasPassword = useSelector(selectAuth).profile?.has_password ?? true;
  const follow = (next: string, pending: boolean): void => {
    if (pending) void refreshProfile(store);
    else dispatch(emailChanged(next));
    raiseSessionEvent('user_updated');
  };
  return (
    <SecuritySection
      email={email}
      hasPassword={hasPassword}
      onEmailChanged={follow}
      onAccessChanged={() => {
        void refreshProfile(store);
        raiseSessionEvent('user_updated');
      }}
      onLoggedOut={() => forgetSession({ dispatch })}
    />
  );
}
