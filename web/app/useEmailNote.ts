import { useEffect } from 'react';
import { useSelector, useStore } from 'react-redux';
import { type EmailNoteProps, needsEmailNote } from '../features/account/emailWording.ts';
import { selectAuth } from '../features/auth/authSlice.ts';
import { refreshProfile } from '../features/auth/session.ts';
import type { AppStore } from './store.ts';

/**
 * What the user is told about the address; null: there is nothing to do. The link is mostly opened in another tab or on another device: who comes
 * back is shown what is so now.
 */
export function useEmailNote(): EmailNoteProps | null {
  const store = useStore() as AppStore;
  const { user, profile } = useSelector(selectAuth);
  const shown = user && profile && needsEmailNote(profile) ? { email: user.email, profile } : null;
  const waits = shown !== null;
  useEffect(() => {
    if (!waits) return;
    const look = (): void => void (document.visibilityState === 'visible' && refreshProfile(store));
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [waits, store]);
  return shown;
}
