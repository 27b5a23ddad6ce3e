/** Status of an external service or dependency. `disabled`: the operator switched it off. */
export const SERVICE_STATUSES = ['up', 'degraded', 'down', 'not_configured', 'disabled'] as const;
export type ServiceStatus = (typeof SERVICE_STATUSES)[number];

/** Who writes the texts. */
export const LLM_PROVIDERS = ['grok', 'openai_compatible', 'built_in'] as const;
export type LlmProvider = (typeof LLM_PROVIDERS)[number];

/** Window in which users count as active, minutes. */
export const ACTIVE_WINDOW = { default: 15, max: 24 * 60 } as const;
