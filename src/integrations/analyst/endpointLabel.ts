/** Display name of a language model, by its endpoint: 'Grok AI' at x.ai, 'AI' elsewhere. */
import { parseUrl } from '../../model/parseUrl.ts';

export function labelOf(baseUrl: string): string {
  const host = parseUrl(baseUrl)?.hostname ?? '';
  return host === 'x.ai' || host.endsWith('.x.ai') ? 'Grok AI' : 'AI';
}
