/** Ready-made requests that a person chooses in a client. */
type Argument = { readonly name: string; readonly description: string; readonly required: boolean };

type PromptText = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  /** By the names of its arguments; those left out are empty. */
  readonly text: (given: Readonly<Record<string, string>>) => string;
};

const site: Argument = { name: 'site', description: 'Address of the site', required: true };
const auditId: Argument = { name: 'audit_id', description: 'The audit', required: true };

export const PROMPTS: readonly PromptText[] = [
  {
    name: 'triage_site',
    title: 'Triage a site',
    description: 'Audit a site, or read its newest audit, and say what to fix first',
    arguments: [site],
    text: (given) =>
      `Find my newest audit of ${given.site} with list_audits; if there is none, ask me, then start one with audit_site and wait for it. Read it with get_audit and list_findings grouped by template. Then tell me the three causes that cost most, what each does to the site, and what one change would repair it. Name the task of each.`,
  },
  {
    name: 'fix_next_task',
    title: 'Fix the next task',
    description: 'Take the most important open task, fix it in the source, and verify it',
    arguments: [{ ...site, required: false }],
    text: (given) =>
      `Take my most important open task${given.site ? ` of ${given.site}` : ''} (list_audits, list_tasks with status: todo). Get its fix with get_fix, find in this project’s source what produces those places, and make the smallest change that repairs all of them. Show me the change. Once I say that it is published, call verify_fix and tell me the verdict for each page.`,
  },
  {
    name: 'client_summary',
    title: 'Summary for a client',
    description: 'A short summary of an audit for somebody who is no specialist',
    arguments: [auditId, { name: 'language', description: 'Default: English', required: false }],
    text: (given) =>
      `Read the audit ${given.audit_id} with get_audit and compare_audits. Write a summary of at most 250 words in ${given.language || 'English'} for the owner of the site: where it stands, what changed, what matters most and why, and what comes next. No jargon, no promise of rankings, only numbers from the audit.`,
  },
  {
    name: 'explain_drop',
    title: 'Explain a drop',
    description: 'Find out why a score fell between two audits',
    arguments: [auditId],
    text: (given) =>
      `Compare the audit ${given.audit_id} with the one before (compare_audits), then list its new findings (list_findings with state: new). Say which changes explain the difference of the scores and which do not, whether the two can be compared at all, and which release or edit would have that effect. Separate what is certain from what is likely.`,
  },
  {
    name: 'gate_release',
    title: 'Gate a release',
    description: 'Audit a staging site and say whether it may go live',
    arguments: [{ name: 'staging', description: 'Address of the staging site', required: true }],
    text: (given) =>
      `Audit ${given.staging} with audit_site (ask me first) and wait for it. Ignore what is only so because it is a staging site: noindex, robots.txt, canonicals to the live host, missing analytics. Say yes or no to the release, with each high-impact finding that the live site would get and the change that prevents it.`,
  },
];
