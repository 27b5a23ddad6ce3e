import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Profile, User } from '../../../src/http/contract/auth.ts';
import { sessionEnded } from '../../api/sessionEnded.ts';

export interface AuthState {
  readonly phase: 'loading' | 'authenticated' | 'unauthenticated';
  readonly user: User | null;
  readonly profile: Profile | null;
  /** The user asked for it: the next log-in starts afresh instead of where this one was. */
  readonly loggedOut: boolean;
  /** It was over without their doing: they are told why they are asked to log in. */
  readonly ended: boolean;
  /** There is a token, but nobody to ask whose it is. */
  readonly unreachable: boolean;
}

const OUT: AuthState = { phase: 'unauthenticated', user: null, profile: null, loggedOut: false, ended: false, unreachable: false };

export const authSlice = createSlice({
  name: 'auth',
  initialState: { ...OUT, phase: 'loading' } as AuthState,
  reducers: {
    signedIn: (_auth, { payload }: PayloadAction<{ user: User; profile: Profile }>): AuthState => ({ ...OUT, phase: 'authenticated', ...payload }),
    startedSignedOut: (): AuthState => OUT,
    serverMissed: (): AuthState => ({ ...OUT, unreachable: true }),
    emailChanged: (auth, { payload }: PayloadAction<string>) => {
      if (auth.user) auth.user.email = payload;
    },
    loggedOut: (): AuthState => ({ ...OUT, loggedOut: true }),
  },
  extraReducers: (builder) => {
    builder.addCase(sessionEnded, ({ phase, ended }): AuthState => ({ ...OUT, ended: ended || phase === 'authenticated' }));
  },
  selectors: {
    selectAuth: (auth) => auth,
    selectPhase: (auth) => auth.phase,
    selectUser: (auth) => auth.user,
    selectIsAdmin: (auth) => auth.profile?.is_admin === true,
  },
});

export const { signedIn, startedSignedOut, serverMissed, emailChanged, loggedOut } = authSlice.actions;
export const { selectAuth, selectIsAdmin, selectPhase, selectUser } = authSlice.selectors;
