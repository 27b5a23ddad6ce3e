import { useDispatch } from 'react-redux';
import { Link } from 'react-router-dom';
import { ADMIN_FIGURES } from '../../../../src/model/adminLists.ts';
import { asFailure } from '../../../api/failure.ts';
import { AccessDenied } from '../../../features/admin/AccessDenied.tsx';
import { ADMIN_POLLING } from '../../../features/admin/adminPolling.ts';
import { adminJobsApi, useAdminOverviewQuery } from '../../../features/admin/jobs/adminJobsApi.ts';
import { RecentJobs } from '../../../features/admin/jobs/RecentJobs.tsx';
import { useAdminChanges } from '../../../features/admin/useAdminChanges.ts';
import { usePageTitle } from '../../../ui/pageTitle.ts';
import { ADMIN_PAGES, type AdminPage as Page } from '../../adminPages.ts';
import { FIGURES, type Overview } from './adminFigures.ts';

/** The admin overview: a tile per page with its figure, and the newest jobs. */
export function AdminPage() {
  usePageTitle('Admin');
  const { data, error } = useAdminOverviewQuery(undefined, { ...ADMIN_POLLING, refetchOnMountOrArgChange: true });
  const dispatch = useDispatch();
  useAdminChanges(ADMIN_FIGURES, () => void dispatch(adminJobsApi.util.invalidateTags(['AdminOverview'])));
  const failure = error && asFailure(error);
  // A missing second factor is reported by the newest jobs below.
  if (failure?.status === 403 && failure.code !== 'MFA_REQUIRED') return <AccessDenied />;
  return (
    <div className="space-y-4">
      <h1 className="text-xl sm:text-2xl">Admin</h1>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {ADMIN_PAGES.map((page) => (
          <li key={page.path}>
            <Tile page={page} overview={data} />
          </li>
        ))}
      </ul>
      <RecentJobs />
    </div>
  );
}

/** Shown without its figure while that is unknown; the link works anyway. */
function Tile({
  page: { path, name, description, icon: Icon },
  overview,
}: {
  page: Page;
  overview: Overview | undefined;
}) {
  const figure = overview && FIGURES[path]?.(overview);
  return (
    <Link to={path} className="flex h-full flex-col gap-1 panel p-4 hover:border-accent">
      <span className="flex items-center gap-2 font-medium text-strong">
        <Icon aria-hidden="true" size={16} />
        {name}
      </span>
      {figure && <span className="text-strong tabular-nums">{figure}</span>}
      <span className="text-sm text-muted">{description}</span>
    </Link>
  );
}
