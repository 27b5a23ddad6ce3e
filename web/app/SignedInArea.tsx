import { Suspense, useState } from 'react';
import { useStore } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { Loading } from '../ui/Spinner.tsx';
import { LiveSession } from './LiveSession.tsx';
import type { AppStore } from './store.ts';
import { addUserData } from './userData.ts';

/** Around every page of a signed-in user. The pages below read the user's data, so it is in the store before they are drawn. */
export function SignedInArea() {
  const store = useStore() as AppStore;
  const [userStore] = useState(() => addUserData(store));
  return (
    <>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
      <LiveSession store={userStore} />
    </>
  );
}
