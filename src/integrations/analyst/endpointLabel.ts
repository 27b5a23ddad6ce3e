/** Display name of a language model, by its endpoint: 'Grok AI' at x.ai, 'AI' elsewhere. */
export function labelOf(baseUrl: string): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return host === 'x.ai' || host.endsWith('.x.ai') ? 'Grok AI' : 'AI';
}
