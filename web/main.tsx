import './styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { BrowserRouter } from 'react-router-dom';
import { AppRoutes } from './app/routes.tsx';
import { createStore } from './app/store.ts';
import { followOtherTabs, startSession } from './features/auth/startSession.ts';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');

const store = createStore();
void startSession(store);
followOtherTabs(store);

createRoot(root).render(
  <StrictMode>
    <Provider store={store}>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
    </Provider>
  </StrictMode>,
);
