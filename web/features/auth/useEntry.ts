import { useState } from 'react';
import { useStore } from 'react-redux';
import type { ApiFailure } from '../../api/failure.ts';
import type { AuthState } from './authSlice.ts';
import type { AuthStore } from './session.ts';

/** Submit state of a log-in or sign-up form; `onFailure` handles the error, e.g. focuses the field to correct. */
export function useEntry<Body>(
  enter: (store: AuthStore, body: Body) => Promise<{ readonly failure?: ApiFailure | undefined }>,
  onFailure: (failure: ApiFailure) => void,
) {
  const store = useStore<{ auth: AuthState }>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const submit = async (body: Body): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    const outcome = await enter(store, body);
    setFailure(outcome.failure ?? null);
    setBusy(false);
    if (outcome.failure) onFailure(outcome.failure);
  };
  return { submit, busy, failure };
}
