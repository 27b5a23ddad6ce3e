/** API keys and webhooks, in the words that the log, the API and the screens share. */

/** What a key may do: `read` refuses every write. `reports:read` opens the reports over the whole log and nothing else: an analyst's, made by an admin. */
export const API_KEY_SCOPES = ['read', 'write', 'reports:read'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** What an endpoint may be sent. */
export const WEBHOOK_EVENTS = ['job.completed', 'action.completed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
