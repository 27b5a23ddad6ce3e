/** Email sequences: vocabulary and limits shared by server and browser. */

export const SEQUENCE_TRIGGERS = ['sign_up', 'first_analysis', 'inactive_14_days', 'subscription_ended'] as const;
export type SequenceTrigger = (typeof SEQUENCE_TRIGGERS)[number];

/** The days in `inactive_14_days`. */
export const INACTIVE_DAYS = 14;

/** Placeholders that subjects and contents may use in double braces. */
export const SEQUENCE_PLACEHOLDERS = [
  'user_name',
  'user_email',
  'app_url',
  'support_email',
  'company_name',
  'signup_date',
] as const;
export type SequencePlaceholder = (typeof SEQUENCE_PLACEHOLDERS)[number];

export const SEQUENCE_LIMITS = {
  name: 120,
  description: 500,
  subject: 200,
  content: 20_000,
  delayDays: 365,
  stepNumber: 1_000,
  /** Per sequence. */
  templates: 50,
} as const;
