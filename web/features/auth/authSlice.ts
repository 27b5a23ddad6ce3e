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
  /** Of the account: while it is asked for, the end of the session is its doing. */
  readonly deletion: 'asked' | 'done' | null;
  /** There is a token, but nobody to ask whose it is. */
  readonly unreachable: boolean;
}

const OUT: AuthState = { phase: 'unauthenticated', user: null, profile: null, loggedOut: false, ended: false, deletion: null, unreachable: false };

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
    deletionAsked: (auth): AuthState => ({ ...auth, deletion: 'asked' }),
    /** The session may have ended meanwhile, for another reason then. */
    deletionRefused: (auth): AuthState => (auth.phase === 'authenticated' ? { ...auth, deletion: null } : { ...OUT, ended: true }),
    accountDeleted: (): AuthState => ({ ...OUT, loggedOut: true, deletion: 'done' }),
  },
  extraReducers: (builder) => {
    builder.addCase(
      sessionEnded,
      ({ phase, ended, deletion }): AuthState =>
        deletion === null ? { ...OUT, ended: ended || phase === 'authenticated' } : { ...OUT, loggedOut: true, deletion },
    );
  },
  selectors: {
    selectAuth: (auth) => auth,
    selectPhase: (auth) => auth.phase,
    selectUser: (auth) => auth.user,
    selectIsAdmin: (auth) => auth.profile?.is_admin === true,
  },
});

export const { signedIn, startedSignedOut, serverMissed, emailChanged, loggedOut, deletionAsked, deletionRefused, accountDeleted } = authSlice.actions;
export const { selectAuth, selectIsAdmin, selectPhase, selectUser } = authSlice.selectors;
