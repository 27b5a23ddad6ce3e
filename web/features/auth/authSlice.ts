import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Profile, User } from '../../../src/http/contract/auth.ts';
import { sessionEnded } from '../../api/sessionEnded.ts';

export interface AuthState {
  readonly phase: 'loading' | 'authenticated' | 'unauthenticated';
  readonly user: User | null;
  readonly profile: Profile | null;
  /** The user logged out: the next log-in starts on the home page, not where they were. */
  readonly loggedOut: boolean;
  /** The session ended without a log-out, so the log-in page explains why it is shown. */
  readonly ended: boolean;
  /** Deletion of the account: while it is requested, it is the reason why the session ends. */
  readonly deletion: 'asked' | 'done' | null;
  /** There is a token, but the server cannot be reached to identify the user. */
  readonly unreachable: boolean;
}

const OUT: AuthState = {
  phase: 'unauthenticated',
  user: null,
  profile: null,
  loggedOut: false,
  ended: false,
  deletion: null,
  unreachable: false,
};

/** What an answer leaves out. Of an address about which nothing is said, nothing is asked. */
const PROFILE: Omit<Profile, 'id'> = {
  is_admin: false,
  plan: 'free',
  credits: 0,
  funds: 0,
  name: '',
  email_state: 'confirmed',
  pending_email: null,
  has_password: true,
  mfa: 'off',
};

export const authSlice = createSlice({
  name: 'auth',
  initialState: { ...OUT, phase: 'loading' } as AuthState,
  reducers: {
    signedIn: (
      _auth,
      { payload }: PayloadAction<{ user: User; profile: Partial<Profile> | undefined }>,
    ): AuthState => ({
      ...OUT,
      phase: 'authenticated',
      user: payload.user,
      profile: { ...PROFILE, id: payload.user.id, ...payload.profile },
    }),
    startedSignedOut: (): AuthState => OUT,
    serverMissed: (): AuthState => ({ ...OUT, unreachable: true }),
    emailChanged: (auth, { payload }: PayloadAction<string>) => {
      if (auth.user) auth.user.email = payload;
    },
    loggedOut: (): AuthState => ({ ...OUT, loggedOut: true }),
    deletionAsked: (auth): AuthState => ({ ...auth, deletion: 'asked' }),
    /** The session may have ended meanwhile for another reason. */
    deletionRefused: (auth): AuthState =>
      auth.phase === 'authenticated' ? { ...auth, deletion: null } : { ...OUT, ended: true },
    accountDeleted: (): AuthState => ({ ...OUT, loggedOut: true, deletion: 'done' }),
  },
  extraReducers: (builder) => {
    builder.addCase(
      sessionEnded,
      ({ phase, ended, deletion }): AuthState =>
        deletion === null
          ? { ...OUT, ended: ended || phase === 'authenticated' }
          : { ...OUT, loggedOut: true, deletion },
    );
  },
  selectors: {
    selectAuth: (auth) => auth,
    selectPhase: (auth) => auth.phase,
    selectUser: (auth) => auth.user,
    selectIsAdmin: (auth) => auth.profile?.is_admin === true,
  },
});

export const {
  signedIn,
  startedSignedOut,
  serverMissed,
  emailChanged,
  loggedOut,
  deletionAsked,
  deletionRefused,
  accountDeleted,
} = authSlice.actions;
export const { selectAuth, selectIsAdmin, selectPhase, selectUser } = authSlice.selectors;
