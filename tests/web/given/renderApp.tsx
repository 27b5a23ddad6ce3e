import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { readVersion } from '../../../web/api/system.ts';
import { storeTokens } from '../../../web/api/tokens.ts';
import { AppRoutes } from '../../../web/app/routes.tsx';
import { createStore } from '../../../web/app/store.ts';
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

function Address({ into }: { into: { current: string } }) {
  const { pathname, search } = useLocation();
  into.current = pathname + search;
  return null;
}
