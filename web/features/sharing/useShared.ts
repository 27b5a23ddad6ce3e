/** What a link shows, for as long as it opens: an open page is told when it no longer does, and lets go of everything. */
import { startTransition, useEffect, useState } from 'react';
import type { SharedResponse, SharedView } from '../../../src/http/contract/share.ts';
import { type ApiAnswer, callApi } from '../../api/call.ts';
import { visitShare } from './shareVisit.ts';

export type Shared =
  | { readonly state: 'loading' }
  | { readonly state: 'open'; readonly view: SharedView }
  /** Expired, revoked, or never there. */
  | { readonly state: 'gone' }
  | { readonly state: 'failed' };

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
  useEffect(() => (open ? visitShare(token, `${pathOf(token)}/state`, () => setShared({ state: 'gone' })) : undefined), [token, open]);

  return { shared, reload: () => setAsked((times) => times + 1) };
}
