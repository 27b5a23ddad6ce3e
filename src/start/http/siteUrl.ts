/** Decides which addresses may be submitted. The guarded fetcher checks what they resolve to again on each connection. */
import { normaliseSubmission } from '../../audit/crawl/url.ts';
import type { NormalizeUrl } from '../../http/deps/deps.ts';
import { createAllowList, vetUrl } from '../../integrations/fetcher/addressGuard.ts';

/** Addresses that show by themselves that they cannot be audited are refused at once, instead of failing as jobs. */
export function createSiteUrlCheck(allowHosts: readonly string[]): NormalizeUrl {
  const allow = createAllowList(allowHosts);
  return (text) => {
    const site = normaliseSubmission(text);
    if (!site.ok) return { ok: false, error: site.reason };
    const verdict = vetUrl(site.url, allow);
    if (verdict.ok) return site;
    // Without a scheme, http is tried as well.
    if (site.schemeGuessed && vetUrl(site.url.replace(/^https:/, 'http:'), allow).ok) return site;
    return { ok: false, error: verdict.message, isBlocked: true };
  };
}
