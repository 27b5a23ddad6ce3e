/** Which addresses a webhook may have. What they resolve to is judged again by the guarded fetcher at the moment of each connection. */
import { createAllowList, vetUrl } from './fetcher/addressGuard.ts';

export type WebhookUrlVerdict = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly error: string };

/** `https` always, `http` for hosts that the operator has named. */
export function createWebhookUrlCheck(allowHosts: readonly string[]): (text: string) => WebhookUrlVerdict {
  const allow = createAllowList(allowHosts);
  return (text) => {
    const verdict = vetUrl(text.trim(), allow);
    if (!verdict.ok) return { ok: false, error: verdict.message };
    const { url } = verdict;
    if (url.protocol !== 'https:' && !allow.has(url.hostname, url.port || '80')) return { ok: false, error: 'A webhook needs an https address.' };
    url.hash = '';
    return { ok: true, url: url.href };
  };
}
