/** The admin pages: what the navigation and the tiles of /admin name, and what is drawn at their addresses. */
import { Activity, type LucideIcon } from 'lucide-react';
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
    path: adminPaths.system,
    name: 'System Status',
    description: 'Active users, running jobs, services, and what needs attention',
    icon: Activity,
    Page: lazily(() => import('./pages/admin/AdminSystemPage.tsx'), 'AdminSystemPage'),
  },
];

/** Pages below those: of one job, one user … */
export const ADMIN_DETAILS: readonly Pick<AdminPage, 'path' | 'Page'>[] = [];
