/** What a link shows, for as long as it opens: an open page asks every one and a half seconds, and lets go of everything when it no longer does. */
import { startTransition, useEffect, useState } from 'react';
import type { SharedResponse, SharedView } from '../../../src/http/contract/share.ts';
import { type ApiAnswer, callApi } from '../../api/call.ts';

export type Shared =
  | { readonly state: 'loading' }
  | { readonly state: 'open'; readonly view: SharedView }
  /** Expired, revoked, or never there. */
  | { readonly state: 'gone' }
  | { readonly state: 'failed' };

const ASK_EVERY_MS = 1_500;
/** After a failure that says nothing about the link. */
const ASK_LATER_MS = 5_000;

const pathOf = (token: string): string => `/api/v1/share/${encodeURIComponent(token)}`;
/** What cannot even be a token opens nothing. */
const isGone = ({ failure }: ApiAnswer): boolean => failure?.status === 404 || failure?.status === 400;

/** `reload` asks once more. */
export function useShared(token: string): { readonly shared: Shared; readonly reload: () => void } {
  const [shared, setShared] = useState<Shared>({ state: 'loading' });
  const [asked, setAsked] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is the wish to ask again.
  useEffect(() => {
    const left = new AbortController();
    setShared({ state: 'loading' });
    void callApi({ path: pathOf(token) }, null, left.signal).then((answer) => {
      if (left.signal.aborted) return;
      if (answer.failure) setShared({ state: isGone(answer) ? 'gone' : 'failed' });
      else startTransition(() => setShared({ state: 'open', view: (answer.data as SharedResponse).data }));
    });
    return () => left.abort();
  }, [token, asked]);

  const open = shared.state === 'open';
  useEffect(() => {
    if (!open) return;
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      const answer = await callApi({ path: `${pathOf(token)}/state` }, null, left.signal);
      if (left.signal.aborted) return;
      if (isGone(answer)) setShared({ state: 'gone' });
      else askIn(answer.failure ? ASK_LATER_MS : ASK_EVERY_MS);
    };
    const askIn = (ms: number): void => {
      clearTimeout(timer);
      // Nobody looks at a hidden page; it asks as soon as somebody does.
      if (!document.hidden) timer = setTimeout(() => void ask(), ms);
    };
    const looked = (): void => askIn(0);
    document.addEventListener('visibilitychange', looked);
    askIn(ASK_EVERY_MS);
    return () => {
      left.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', looked);
    };
  }, [token, open]);

  return { shared, reload: () => setAsked((times) => times + 1) };
}
