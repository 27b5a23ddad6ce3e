import { useState } from 'react';
import { asFailure } from '../../../api/failure.ts';
import { paths } from '../../../ui/paths.ts';
import { useOpenPortalMutation } from './plansApi.ts';

export interface Portal {
  readonly open: () => Promise<void>;
  readonly busy: boolean;
  readonly problem: string | null;
  /** The page's URL, when the browser blocked the new window. */
  readonly blockedUrl: string | null;
}

/** Opens the provider's portal in a new window. */
export function usePortal(): Portal {
  const [ask, { isLoading, error }] = useOpenPortalMutation();
  const [blockedUrl, setBlockedUrl] = useState<string | null>(null);
  const open = async (): Promise<void> => {
    setBlockedUrl(null);
    // Opened during the click, since browsers block a window opened after the response.
    const opened = window.open('', '_blank');
    if (opened) opened.opener = null;
    const { data: url } = await ask({ returnUrl: `${location.origin}${paths.plans}` });
    if (url === undefined) opened?.close();
    else if (opened && !opened.closed) opened.location.replace(url);
    else setBlockedUrl(url);
  };
  return { open, busy: isLoading, problem: error ? portalProblem(error) : null, blockedUrl };
}

function portalProblem(error: unknown): string {
  const { status, message } = asFailure(error);
  return status === 0 || message === '' ? 'Failed to open billing portal.' : `Error: ${message}`;
}
