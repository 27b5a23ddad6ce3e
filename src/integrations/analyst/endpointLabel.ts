/** What a language model is called on screens, by where it is asked: 'Grok AI' at x.ai, 'AI' elsewhere. */
export function labelOf(baseUrl: string): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return host === 'x.ai' || host.endsWith('.x.ai') ? 'Grok AI' : 'AI';
}
