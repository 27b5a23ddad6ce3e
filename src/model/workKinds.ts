/** Kinds of background work as people read them, on the page of the system and in alerts; the ids are those of `src/work/kinds/`. */
export const WORK_KIND_NAMES: Readonly<Record<string, string>> = {
  audit: 'Audits',
  mail: 'Emails',
  webhook: 'Webhook deliveries',
  rework: 'Regenerations',
  promptTrial: 'Prompts that are tried',
  providerEvent: 'Payment events',
  followUp: 'Follow-ups',
  sequenceMail: 'Emails of sequences',
};
