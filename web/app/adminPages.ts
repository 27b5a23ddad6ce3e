/** The admin pages: what the navigation and the tiles of /admin name, and what is drawn at their addresses. */
import { type LucideIcon, Mails } from 'lucide-react';
import type { ComponentType } from 'react';
import { adminPaths } from '../ui/adminPaths.ts';
import { lazily } from '../ui/lazily.ts';

export interface AdminPage {
  readonly path: string;
  /** Of its tile. */
  readonly name: string;
  readonly description: string;
  readonly icon: LucideIcon;
  readonly Page: ComponentType;
}

export const ADMIN_PAGES: readonly AdminPage[] = [
  {
    path: adminPaths.sequences,
    name: 'Email sequences',
    description: 'Emails that users get on their way: templates, timing and figures.',
    icon: Mails,
    Page: lazily(() => import('./pages/admin/SequencesPage.tsx'), 'SequencesPage'),
  },
];

/** Pages below those: of one job, one user … */
export const ADMIN_DETAILS: readonly Pick<AdminPage, 'path' | 'Page'>[] = [
  { path: `${adminPaths.sequences}/:sequenceId/templates`, Page: lazily(() => import('./pages/admin/SequencePage.tsx'), 'SequencePage') },
  { path: `${adminPaths.sequences}/:sequenceId/templates/create`, Page: lazily(() => import('./pages/admin/CreateTemplatePage.tsx'), 'CreateTemplatePage') },
  {
    path: `${adminPaths.sequences}/:sequenceId/templates/:templateId/edit`,
    Page: lazily(() => import('./pages/admin/EditTemplatePage.tsx'), 'EditTemplatePage'),
  },
];
