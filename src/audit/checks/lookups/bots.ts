/** The crawlers of assistants, by what they fetch for: robots.txt tokens are independent of each other. */

/** They build the indexes that AI answers are drawn from. */
export const AI_SEARCH_BOTS: readonly string[] = [
  'OAI-SearchBot',
  'Claude-SearchBot',
  'PerplexityBot',
  'Bingbot',
  'Googlebot',
  'Applebot',
  'DuckAssistBot',
  'Amzn-SearchBot',
];

/** They fetch one page because a person asked about it. Some of them do not obey robots.txt. */
export const AI_USER_FETCHERS: readonly string[] = ['ChatGPT-User', 'Claude-User', 'Perplexity-User', 'MistralAI-User', 'meta-externalfetcher'];

/** They gather text to train models; blocking them takes nothing out of search. */
export const AI_TRAINING_BOTS: readonly string[] = ['GPTBot', 'ClaudeBot', 'CCBot', 'Google-Extended', 'Applebot-Extended', 'Bytespider', 'meta-externalagent'];
