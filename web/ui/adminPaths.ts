/** Addresses of the admin pages. Apart from the others, which every visitor downloads. */
export const adminPaths = {
  home: '/admin',
  jobs: '/admin/jobs',
  system: '/admin/system',
  users: '/admin/users',
  prompts: '/admin/prompts',
  sequences: '/admin/email-sequences',
} as const;

/** Pages of one thing. */
export const adminJobPath = (jobId: string): string => `${adminPaths.jobs}/${encodeURIComponent(jobId)}`;
export const adminUserPath = (userId: string): string => `${adminPaths.users}/${encodeURIComponent(userId)}`;

export const adminSequencePath = (sequenceId: string): string => `${adminPaths.sequences}/${encodeURIComponent(sequenceId)}/templates`;
export const adminTemplateCreatePath = (sequenceId: string): string => `${adminSequencePath(sequenceId)}/create`;
export const adminTemplatePath = (sequenceId: string, templateId: string): string => `${adminSequencePath(sequenceId)}/${encodeURIComponent(templateId)}/edit`;
