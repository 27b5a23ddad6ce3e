/** AI crawlers by purpose: their robots.txt tokens are independent of each other. */

/** Build the indexes behind AI answers. */
export const AI_SEARCH_BOTS: readonly string[] = [
  'OAI-SearchBot',
  'Claude-SearchBot',
  'PerplexityBot',
  'Bingbot',
  'Googlebot',
  'Applebot',
  'DuckAssistBot',
  'Amzn-SearchBot',
  'ExaSearchBot',
  'meta-webindexer',
  'PetalBot',
  'YouBot',
];

/** Fetch a single page on a user's request. Some of them ignore robots.txt. */
export const AI_USER_FETCHERS: readonly string[] = [
  'ChatGPT-User',
  'Claude-User',
  'Perplexity-User',
  'MistralAI-User',
  'meta-externalfetcher',
  'Amzn-User',
  'Gemini-Deep-Research',
  'Google-NotebookLM',
  'GoogleAgent-URLContext',
  'kagi-fetcher',
  'Kimi-User',
];

/** Collect training data; blocking them does not affect search. */
export const AI_TRAINING_BOTS: readonly string[] = [
  'GPTBot',
  'ClaudeBot',
  'CCBot',
  'Google-Extended',
  'Applebot-Extended',
  'Bytespider',
  'meta-externalagent',
];
