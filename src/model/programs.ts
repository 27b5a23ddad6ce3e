/** Vocabulary of API keys and webhooks shared by the log, the API and the screens. */

/** Scopes for analysts: such a key is created by an admin, and opens what is over the whole log and nothing else. */
const ANALYST_SCOPES = ['reports:read', 'events:read'] as const;
export type AnalystScope = (typeof ANALYST_SCOPES)[number];

/**
 * Scopes of a key: `read` denies every write. `reports:read` opens only the reports over the whole log, `events:read`
 * also its anonymized events.
 */
export const API_KEY_SCOPES = ['read', 'write', ...ANALYST_SCOPES] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

export const isAnalystScope = (scope: ApiKeyScope): scope is AnalystScope =>
  ANALYST_SCOPES.some((each) => each === scope);

/** Events an endpoint can subscribe to. */
export const WEBHOOK_EVENTS = ['job.completed', 'action.completed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
