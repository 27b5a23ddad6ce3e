/** Decides which URLs a webhook may have. The guarded fetcher checks what they resolve to again on each connection. */
import { createAllowList, vetUrl } from './fetcher/addressGuard.ts';

export type WebhookUrlVerdict =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly error: string };

/** `https` for any host, `http` for hosts that the operator has named. */
export function createWebhookUrlCheck(allowHosts: readonly string[]): (text: string) => WebhookUrlVerdict {
  const allow = createAllowList(allowHosts);
  return (text) => {
    const verdict = vetUrl(text.trim(), allow);
    if (!verdict.ok) return { ok: false, error: verdict.message };
    const { url } = verdict;
    if (url.protocol !== 'https:' && !allow.has(url.hostname, url.port || '80'))
      return { ok: false, error: 'A webhook needs an https address.' };
    url.hash = '';
    return { ok: true, url: url.href };
  };
}
