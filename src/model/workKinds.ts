/**
 * Display names of the kinds of background work, for the system page and alerts; the ids are those in
 * `src/work/kinds/`.
 */
export const WORK_KIND_NAMES: Readonly<Record<string, string>> = {
  audit: 'Audits',
  mail: 'Emails',
  webhook: 'Webhook deliveries',
  rework: 'Regenerations',
  promptTrial: 'Prompt trials',
  accountExport: 'Data exports',
  providerEvent: 'Payment events',
  followUp: 'Follow-ups',
  sequenceMail: 'Sequence emails',
};
