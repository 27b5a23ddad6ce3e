import { useEffect } from 'react';
import { useSelector, useStore } from 'react-redux';
import { type EmailNoteProps, needsEmailNote } from '../features/account/emailState.ts';
import { selectAuth } from '../features/auth/authSlice.ts';
import { refreshProfile } from '../features/auth/session.ts';
import type { AppStore } from './store.ts';

/**
 * The note about the user's email, or null when nothing needs doing. The link is mostly opened in another tab or on
 * another device, so the profile is refreshed when the user returns.
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
