import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Profile, User } from '../../../src/http/contract/auth.ts';
import { sessionEnded } from '../../api/sessionEnded.ts';

export interface AuthState {
  readonly phase: 'loading' | 'authenticated' | 'unauthenticated';
  readonly user: User | null;
  readonly profile: Profile | null;
  /** The user asked for it: the next log-in starts afresh instead of where this one was. */
  readonly loggedOut: boolean;
}

const OUT: AuthState = { phase: 'unauthenticated', user: null, profile: null, loggedOut: false };

export const authSlice = createSlice({
  name: 'auth',
  initialState: { ...OUT, phase: 'loading' } as AuthState,
  reducers: {
    signedIn: (_auth, { payload }: PayloadAction<{ user: User; profile: Profile }>): AuthState => ({ phase: 'authenticated', ...payload, loggedOut: false }),
    startedSignedOut: (): AuthState => OUT,
    loggedOut: (): AuthState => ({ ...OUT, loggedOut: true }),
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, (): AuthState => OUT);
  },
  selectors: {
    selectAuth: (auth) => auth,
    selectPhase: (auth) => auth.phase,
    selectUser: (auth) => auth.user,
  },
});

export const { signedIn, startedSignedOut, loggedOut } = authSlice.actions;
export const { selectAuth, selectPhase, selectUser } = authSlice.selectors;
