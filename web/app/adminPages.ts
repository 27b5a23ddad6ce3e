/** The admin pages: their names in the navigation and on the tiles of /admin, and their components. */
import {
  Activity,
  BookOpenText,
  ChartColumn,
  ChartLine,
  History,
  ListChecks,
  type LucideIcon,
  Mails,
  MessageSquareText,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { adminPaths } from '../ui/adminPaths.ts';
import { lazily } from '../ui/lazily.ts';

export interface AdminPage {
  readonly path: string;
  /** Heading of its tile. */
  readonly name: string;
  readonly description: string;
  readonly icon: LucideIcon;
  readonly Page: ComponentType;
}

export const ADMIN_PAGES: readonly AdminPage[] = [
  {
    path: adminPaths.jobs,
    name: 'Job Management',
    description: 'All jobs, live',
    icon: ListChecks,
    Page: lazily(() => import('./pages/admin/AdminJobsPage.tsx'), 'AdminJobsPage'),
  },
  {
    path: adminPaths.system,
    name: 'System Status',
    description: 'Services, work queues and what needs attention',
    icon: Activity,
    Page: lazily(() => import('./pages/admin/AdminSystemPage.tsx'), 'AdminSystemPage'),
  },
  {
    path: adminPaths.users,
    name: 'Users',
    description: 'Accounts and progress',
    icon: Users,
    Page: lazily(() => import('./pages/admin/AdminUsersPage.tsx'), 'AdminUsersPage'),
  },
  {
    path: adminPaths.prompts,
    name: 'Prompts',
    description: 'Prompts sent to the language model',
    icon: MessageSquareText,
    Page: lazily(() => import('./pages/admin/AdminPromptsPage.tsx'), 'AdminPromptsPage'),
  },
  {
    path: adminPaths.sequences,
    name: 'Email Sequences',
    description: 'Automated emails: templates, timing and figures',
    icon: Mails,
    Page: lazily(() => import('./pages/admin/SequencesPage.tsx'), 'SequencesPage'),
  },
  {
    path: adminPaths.analytics,
    name: 'Analytics',
    description: 'Sign-ups, retention and revenue',
    icon: ChartLine,
    Page: lazily(() => import('./pages/admin/AdminAnalyticsPage.tsx'), 'AdminAnalyticsPage'),
  },
  {
    path: adminPaths.reports,
    name: 'Reports',
    description: 'Revenue, usage, quality, emails and errors, as of any day',
    icon: ChartColumn,
    Page: lazily(() => import('./pages/admin/AdminReportsPage.tsx'), 'AdminReportsPage'),
  },
  {
    path: adminPaths.ledger,
    name: 'Ledger',
    description: 'Payments, refunds, invoices, credits and plan changes',
    icon: BookOpenText,
    Page: lazily(() => import('./pages/admin/AdminLedgerPage.tsx'), 'AdminLedgerPage'),
  },
  {
    path: adminPaths.history,
    name: 'History',
    description: 'Every event of a job, user, bill or email',
    icon: History,
    Page: lazily(() => import('./pages/admin/AdminHistoryPage.tsx'), 'AdminHistoryPage'),
  },
];

/** Detail pages below those: one job, one user, etc. */
export const ADMIN_DETAILS: readonly Pick<AdminPage, 'path' | 'Page'>[] = [
  {
    path: `${adminPaths.sequences}/:sequenceId/templates`,
    Page: lazily(() => import('./pages/admin/SequencePage.tsx'), 'SequencePage'),
  },
  {
    path: `${adminPaths.sequences}/:sequenceId/templates/create`,
    Page: lazily(() => import('./pages/admin/CreateTemplatePage.tsx'), 'CreateTemplatePage'),
  },
  {
    path: `${adminPaths.sequences}/:sequenceId/templates/:templateId/edit`,
    Page: lazily(() => import('./pages/admin/EditTemplatePage.tsx'), 'EditTemplatePage'),
  },
  { path: `${adminPaths.jobs}/:jobId`, Page: lazily(() => import('./pages/admin/AdminJobPage.tsx'), 'AdminJobPage') },
  {
    path: `${adminPaths.users}/:userId`,
    Page: lazily(() => import('./pages/admin/AdminUserPage.tsx'), 'AdminUserPage'),
  },
];
