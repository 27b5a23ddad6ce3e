import { clsx } from 'clsx';
import { Suspense, useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { Navigate, NavLink, Route, Routes, useLocation } from 'react-router-dom';
import { EnterCode } from '../features/admin/session/EnterCode.tsx';
import { LogInAgain } from '../features/admin/session/LogInAgain.tsx';
import { useAdminSession } from '../features/admin/session/useAdminSession.ts';
import { selectAuth } from '../features/auth/authSlice.ts';
import { adminPaths } from '../ui/adminPaths.ts';
import { Drafts } from '../ui/form/draft.ts';
import { paths } from '../ui/paths.ts';
import { Loading } from '../ui/Spinner.tsx';
import { ADMIN_DETAILS, ADMIN_PAGES } from './adminPages.ts';
import { AdminDebug } from './pages/admin/AdminDebug.tsx';
import { AdminPage } from './pages/admin/AdminPage.tsx';
import { SecondFactorPage } from './pages/admin/SecondFactorPage.tsx';
import { useTabDrafts } from './pages/tabDrafts.ts';

const below = (path: string): string => path.slice(adminPaths.home.length + 1);

/** Layout of every admin page. Non-admins are redirected home; the server checks again on every call. */
export function AdminArea() {
  const { profile } = useSelector(selectAuth);
  if (!profile?.is_admin) return <Navigate to={paths.home} replace />;
  return profile.mfa === 'required' ? <SecondFactorPage /> : <AdminPages hasFactor={profile.mfa === 'on'} />;
}

function AdminPages({ hasFactor }: { hasFactor: boolean }) {
  const drafts = useTabDrafts();
  const { access, reopen } = useAdminSession();
  if (access === 'expired') return <LogInAgain />;
  if (access === 'no_code' && hasFactor) return <EnterCode onDone={reopen} />;
  return (
    <Drafts value={drafts}>
      <div className="space-y-4">
        <AdminNav />
        <Suspense fallback={<Loading />}>
          <Routes>
            <Route
              index
              element={
                <>
                  <AdminPage />
                  <AdminDebug />
                </>
              }
            />
            {[...ADMIN_PAGES, ...ADMIN_DETAILS].map(({ path, Page }) => (
              <Route key={path} path={below(path)} element={<Page />} />
            ))}
            <Route path="*" element={<Navigate to={adminPaths.home} replace />} />
          </Routes>
        </Suspense>
      </div>
    </Drafts>
  );
}

function AdminNav() {
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  // On a phone the links scroll horizontally: bring the current page's link into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each page another one is current.
  useEffect(() => {
    const list = nav.current;
    if (!list) return undefined;
    const observer = new ResizeObserver(() => {
      const current = list.querySelector<HTMLElement>('[aria-current="page"]');
      if (current) list.scrollLeft = current.offsetLeft - 24;
    });
    observer.observe(list);
    return () => observer.disconnect();
  }, [pathname]);
  const links = [{ path: adminPaths.home, name: 'Overview' }, ...ADMIN_PAGES];
  return (
    <nav
      ref={nav}
      aria-label="Admin"
      className="relative -mx-1 flex gap-1 overflow-x-auto border-b border-line px-1 pb-2"
    >
      {links.map(({ path, name }) => (
        <NavLink
          key={path}
          to={path}
          end={path === adminPaths.home}
          className={({ isActive }) =>
            clsx(
              'inline-flex min-h-8 shrink-0 items-center rounded-control px-2.5 text-sm whitespace-nowrap pointer-coarse:min-h-11',
              isActive ? 'bg-accent-soft font-medium text-accent' : 'text-normal hover:bg-inset',
            )
          }
        >
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
