/** Unsaved notes and texts of admins, which also survive a reload of the tab. */
import { useContext, useEffect, useMemo } from 'react';
import { useSelector, useStore } from 'react-redux';
import { selectAuth, selectUser } from '../../features/auth/authSlice.ts';
import { Drafts, type DraftTexts } from '../../ui/form/draft.ts';
import type { AppStore } from '../store.ts';

/** Those of the logged-in user, for a page that is loaded on demand: the first pages have no room for them. */
export function useTabDrafts(): DraftTexts {
  const store = useStore() as AppStore;
  const memory = useContext(Drafts);
  const userId = useSelector(selectUser)?.id ?? '';
  useEffect(() => forgetAtLogOut(store), [store]);
  return useMemo(() => tabDrafts(memory, userId), [memory, userId]);
}

const PREFIX = 'draft:';

/** Of this user alone; only in memory where storage is blocked or full. */
function tabDrafts(memory: DraftTexts | null, userId: string): DraftTexts {
  const keyOf = (form: string): string => `${PREFIX}${userId}:${form}`;
  return {
    get: (form) => memory?.get(form) ?? quietly((storage) => storage.getItem(keyOf(form))) ?? undefined,
    set: (form, text) => {
      memory?.set(form, text);
      quietly((storage) => storage.setItem(keyOf(form), text));
    },
    delete: (form) => {
      memory?.delete(form);
      quietly((storage) => storage.removeItem(keyOf(form)));
    },
  };
}

const watched = new WeakSet<AppStore>();

/** Removes them as soon as their author logs out, on whichever page. */
function forgetAtLogOut(store: AppStore): void {
  if (watched.has(store)) return;
  watched.add(store);
  const stop = store.subscribe(() => {
    if (!selectAuth(store.getState()).loggedOut) return;
    stop();
    watched.delete(store);
    quietly((storage) => {
      for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key);
    });
  });
}

function quietly<Result>(use: (storage: Storage) => Result): Result | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}
