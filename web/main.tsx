import './styles.css';
import { StrictMode, startTransition } from 'react';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router-dom';
import { readVersion } from './api/system.ts';
import { rootOf } from './app/reactRoot.ts';
import { AppRoutes } from './app/routes.tsx';
import { createStore } from './app/store.ts';
import { followOtherTabs, startSession } from './features/auth/session.ts';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');

const store = createStore();
void startSession(store);
void readVersion(store.dispatch);
followOtherTabs(store);

// Rendered concurrently and starting in a task of its own, so that the page stays responsive while it loads.
setTimeout(() =>
  startTransition(() =>
    rootOf(root).render(
      <StrictMode>
        <Provider store={store}>
          <BrowserRouter>
            <AppRoutes />
          </BrowserRouter>
        </Provider>
      </StrictMode>,
    ),
  ),
);
