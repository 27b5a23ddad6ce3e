import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { Loading } from '../ui/Spinner.tsx';
import { Crash } from './Crash.tsx';

/** Layout of shared pages. */
export function SharedArea() {
  const { pathname } = useLocation();
  return (
    <Crash page={pathname}>
      <Suspense fallback={<Loading label="Loading shared content" />}>
        <Outlet />
      </Suspense>
    </Crash>
  );
}
