/** Paths of the admin pages. Separate from the others, which every visitor downloads. */
export const adminPaths = {
  home: '/admin',
  jobs: '/admin/jobs',
  system: '/admin/system',
  users: '/admin/users',
  prompts: '/admin/prompts',
  sequences: '/admin/email-sequences',
  history: '/admin/history',
  reports: '/admin/reports',
  analytics: '/admin/analytics',
  ledger: '/admin/ledger',
} as const;

/** Detail pages. */
export const adminJobPath = (jobId: string): string => `${adminPaths.jobs}/${encodeURIComponent(jobId)}`;
export const adminUserPath = (userId: string): string => `${adminPaths.users}/${encodeURIComponent(userId)}`;

/** History of a stream (`job-…`, `billing-…`); with `at` (UTC ISO or a position) its state at that moment. */
export function adminHistoryPath(stream: string, at?: string): string {
  return `${adminPaths.history}?${new URLSearchParams({ stream, ...(at === undefined ? {} : { at }) })}`;
}
/** The rows of a user, an invoice, a payment, or anything else that the ledger is searched by. */
export const adminLedgerPath = (search: string): string => `${adminPaths.ledger}?${new URLSearchParams({ search })}`;

/** Causes and effects of an event. */
export const adminCausesPath = (eventId: string): string =>
  `${adminPaths.history}?${new URLSearchParams({ event: eventId })}`;

export const adminSequencePath = (sequenceId: string): string =>
  `${adminPaths.sequences}/${encodeURIComponent(sequenceId)}/templates`;
export const adminTemplateCreatePath = (sequenceId: string): string => `${adminSequencePath(sequenceId)}/create`;
export const adminTemplatePath = (sequenceId: string, templateId: string): string =>
  `${adminSequencePath(sequenceId)}/${encodeURIComponent(templateId)}/edit`;
