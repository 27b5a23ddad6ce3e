import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { useSelector, useStore } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { channelList, LiveChannels } from '../api/live.ts';
import { selectAuth, selectUser } from '../features/auth/authSlice.ts';
import { Drafts } from '../ui/form/draft.ts';
import { RefusalHelps } from '../ui/form/RefusalHelp.tsx';
import { Loading } from '../ui/Spinner.tsx';
import { ConfirmEmailHelp } from './ConfirmEmailHelp.tsx';
import { EmailBanner } from './EmailBanner.tsx';
import { LiveSession } from './LiveSession.tsx';
import type { AppStore } from './store.ts';
import { addUserData, type UserStore } from './userData.ts';

const HELPS = { EMAIL_NOT_CONFIRMED: <ConfirmEmailHelp /> };

/**
 * Layout of every logged-in page. The pages below read the user's data, so it is added to the store before they render.
 */
export function SignedInArea() {
  const store = useStore() as AppStore;
  const [channels] = useState(channelList);
  const [userStore, setUserStore] = useState<UserStore | null>(null);
  const userId = useSelector(selectUser)?.id ?? '';
  useLayoutEffect(() => setUserStore(addUserData(store)), [store]);
  useEffect(
    () => () => {
      if (selectAuth(store.getState()).loggedOut) drafts.delete(store);
    },
    [store],
  );
  if (!userStore) return null;
  return (
    <LiveChannels value={channels}>
      <Drafts value={draftsOf(store, userId)}>
        <RefusalHelps value={HELPS}>
          <EmailBanner />
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </RefusalHelps>
      </Drafts>
      <LiveSession store={userStore} channels={channels} />
    </LiveChannels>
  );
}

/**
 * Kept when a session expires, so that the same user can continue. Cleared on log-out, and never shown to another user.
 */
const drafts = new WeakMap<AppStore, { readonly userId: string; readonly texts: Map<string, string> }>();

function draftsOf(store: AppStore, userId: string): Map<string, string> {
  const held = drafts.get(store);
  if (held?.userId === userId) return held.texts;
  const texts = new Map<string, string>();
  drafts.set(store, { userId, texts });
  return texts;
}
