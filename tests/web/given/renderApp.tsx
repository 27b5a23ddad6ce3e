import { render, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { expect } from 'vitest';
import { readVersion } from '../../../web/api/system.ts';
import { storeTokens } from '../../../web/api/tokens.ts';
import { AppRoutes } from '../../../web/app/routes.tsx';
import { createStore } from '../../../web/app/store.ts';
import { subscriptionApi } from '../../../web/features/account/subscription/subscriptionApi.ts';
import { followOtherTabs, startSession } from '../../../web/features/auth/session.ts';

/** As after an earlier log-in in this browser. */
export function signedInBefore(token = 'session-1.access'): void {
  storeTokens({ access_token: token, refresh_token: 'session-1.refresh', expires_in: 3600 });
}

/** The whole app, as main.tsx starts it, with the address in memory. */
export function renderApp(path: string) {
  const store = createStore();
  const address = { current: path };
  void startSession(store);
  void readVersion(store.dispatch);
  const stop = followOtherTabs(store);
  const view = render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[path]}>
        <AppRoutes />
        <Address into={address} />
      </MemoryRouter>
    </Provider>,
  );
  return { ...view, store, user: userEvent.setup(), address: () => address.current, stop };
}

/**
 * Until it is known that an audit costs nothing, the app asks before it starts one. Not for an unlimited installation,
 * which requests no subscription.
 */
export async function subscriptionAnswered({ store }: Pick<ReturnType<typeof renderApp>, 'store'>): Promise<void> {
  const subscription = subscriptionApi.endpoints.getSubscription.select();
  const state = () => store.getState() as Parameters<typeof subscription>[0];
  await waitFor(() => expect(['fulfilled', 'rejected']).toContain(subscription(state()).status));
}

function Address({ into }: { into: { current: string } }) {
  const { pathname, search } = useLocation();
  into.current = pathname + search;
  return null;
}
