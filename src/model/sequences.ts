/** Email sequences: the words and limits that server and browser share. */

export const SEQUENCE_TRIGGERS = ['sign_up', 'first_analysis', 'inactive_14_days', 'subscription_ended'] as const;
export type SequenceTrigger = (typeof SEQUENCE_TRIGGERS)[number];

/** Of `inactive_14_days`. */
export const INACTIVE_DAYS = 14;

/** What a subject or a content may name in double braces. */
export const SEQUENCE_PLACEHOLDERS = ['user_name', 'user_email', 'app_url', 'support_email', 'company_name', 'signup_date'] as const;
export type SequencePlaceholder = (typeof SEQUENCE_PLACEHOLDERS)[number];

export const SEQUENCE_LIMITS = {
  name: 120,
  description: 500,
  subject: 200,
  content: 20_000,
  delayDays: 365,
  stepNumber: 1_000,
  /** Of one sequence. */
  templates: 50,
} as const;
