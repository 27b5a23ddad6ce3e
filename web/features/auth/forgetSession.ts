import { raiseSessionEvent } from '../../api/sessionEvents.ts';
import { clearTokens } from '../../api/tokens.ts';
import { recordAuthentication } from './analytics.ts';
import { loggedOut } from './authSlice.ts';
import type { AuthStore } from './session.ts';

/** The server has ended every session, including this one. */
export function forgetSession(store: Pick<AuthStore, 'dispatch'>): void {
  clearTokens();
  store.dispatch(loggedOut());
  recordAuthentication('logout', null);
  raiseSessionEvent('signed_out');
}
