import { Suspense, useLayoutEffect, useState } from 'react';
import { useStore } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { channelList, LiveChannels } from '../api/live.ts';
import { Loading } from '../ui/Spinner.tsx';
import { LiveSession } from './LiveSession.tsx';
import type { AppStore } from './store.ts';
import { addUserData, type UserStore } from './userData.ts';

/** Around every page of a signed-in user. The pages below read the user's data, so it is in the store before they are drawn. */
export function SignedInArea() {
  const store = useStore() as AppStore;
  const [channels] = useState(channelList);
  const [userStore, setUserStore] = useState<UserStore | null>(null);
  useLayoutEffect(() => setUserStore(addUserData(store)), [store]);
  if (!userStore) return null;
  return (
    <LiveChannels value={channels}>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
      <LiveSession store={userStore} channels={channels} />
    </LiveChannels>
  );
}
