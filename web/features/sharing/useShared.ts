/**
 * The content of a shared link while it is valid. When the link ends, an open page clears everything; when its audit is
 * unlocked, it shows the rest.
 */
import { startTransition, useEffect, useRef, useState } from 'react';
import type { SharedResponse, SharedView } from '../../../src/http/contract/share.ts';
import { type ApiAnswer, callApi } from '../../api/call.ts';
import { untilShown } from '../../api/notShownYet.ts';
import { visitShare } from './shareVisit.ts';

export type Shared =
  | { readonly state: 'loading' }
  | { readonly state: 'open'; readonly view: SharedView }
  /** Expired, revoked, or never existed. */
  | { readonly state: 'gone' }
  | { readonly state: 'failed' };

const pathOf = (token: string): string => `/api/v1/share/${encodeURIComponent(token)}`;
const read = (token: string, { signal }: AbortController): Promise<ApiAnswer> =>
  untilShown(() => callApi({ path: pathOf(token) }, null, signal), signal);
/** A malformed token opens nothing either. */
const isGone = ({ failure }: ApiAnswer): boolean => failure?.status === 404 || failure?.status === 400;

/** `reload` fetches it again. */
export function useShared(token: string): { readonly shared: Shared; readonly reload: () => void } {
  const [shared, setShared] = useState<Shared>({ state: 'loading' });
  const [reloads, setReloads] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `reloads` counts the requested reloads.
  useEffect(() => {
    const left = new AbortController();
    setShared({ state: 'loading' });
    void read(token, left).then((answer) => {
      if (left.signal.aborted) return;
      if (answer.failure) setShared({ state: isGone(answer) ? 'gone' : 'failed' });
      else startTransition(() => setShared({ state: 'open', view: (answer.data as SharedResponse).data }));
    });
    return () => left.abort();
  }, [token, reloads]);

  const open = shared.state === 'open';
  const isPreview = useRef(false);
  useEffect(() => {
    isPreview.current = shared.state === 'open' && shared.view.isPreview;
  }, [shared]);
  useEffect(() => {
    if (!open) return;
    const left = new AbortController();
    const readAgain = async (): Promise<void> => {
      const { failure, data } = await read(token, left);
      // An error leaves the page unchanged: the socket reports the link's end separately, and the next message fetches
      // again.
      if (!failure && !left.signal.aborted)
        startTransition(() => setShared({ state: 'open', view: (data as SharedResponse).data }));
    };
    const stop = visitShare(token, `${pathOf(token)}/state`, {
      onEnded: () => setShared({ state: 'gone' }),
      onState: (now) => {
        if (now !== isPreview.current) void readAgain();
      },
    });
    return () => {
      left.abort();
      stop();
    };
  }, [token, open]);

  return { shared, reload: () => setReloads((times) => times + 1) };
}
