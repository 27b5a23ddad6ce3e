/** Vocabulary of API keys and webhooks shared by the log, the API and the screens. */

/**
 * Scopes of a key: `read` denies every write. `reports:read` gives access only to the reports over the whole log: for
 * an analyst's key, created by an admin.
 */
export const API_KEY_SCOPES = ['read', 'write', 'reports:read'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** Events an endpoint can subscribe to. */
export const WEBHOOK_EVENTS = ['job.completed', 'action.completed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
