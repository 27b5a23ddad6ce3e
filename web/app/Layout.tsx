import { clsx } from 'clsx';
import { Suspense, useEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import { Outlet, useLocation } from 'react-router-dom';
import { selectPhase } from '../features/auth/authSlice.ts';
import { useServerUnavailable } from '../ui/lazily.ts';
import { Notice } from '../ui/Notice.tsx';
import { paths } from '../ui/paths.ts';
import { Loading } from '../ui/Spinner.tsx';
import { Crash } from './Crash.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';

const FULL_WIDTH: readonly string[] = [paths.home, paths.actions, paths.shares];

export function Layout() {
  const phase = useSelector(selectPhase);
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const former = useRef(pathname);
  useEffect(() => {
    // A new page starts at its top, for the keyboard and screen readers too.
    if (former.current !== pathname) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    former.current = pathname;
  }, [pathname]);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Header />
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className={clsx('peer w-full flex-1 px-4 py-6 sm:px-6', !FULL_WIDTH.includes(pathname) && 'mx-auto max-w-6xl')}
      >
        {phase === 'loading' ? (
          <Loading label="Checking your session" />
        ) : (
          <Crash page={pathname}>
            <ServerAway />
            <Suspense fallback={<Loading />}>
              <Outlet />
            </Suspense>
          </Crash>
        )}
      </main>
      <Footer />
    </div>
  );
}

/** The current screen stays until the server is back and the requested one can be shown. */
export function ServerAway() {
  const unavailable = useServerUnavailable();
  return (
    <div aria-live="polite" className="sticky top-16 z-20">
      {unavailable && (
        <Notice
          tone="attention"
          title={
            navigator.onLine
              ? 'The server isn’t responding. We’ll continue as soon as it’s back.'
              : 'You’re offline. We’ll continue as soon as you’re connected again.'
          }
          className="mb-4"
        />
      )}
    </div>
  );
}
