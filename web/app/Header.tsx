import { Suspense } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectStatus } from '../api/system.ts';
import { selectPhase } from '../features/auth/authSlice.ts';
import { Badge } from '../ui/Badge.tsx';
import { buttonClasses } from '../ui/Button.tsx';
import { Logo } from '../ui/Logo.tsx';
import { lazily } from '../ui/lazily.ts';
import { paths } from '../ui/paths.ts';
import { PRODUCT_NAME } from '../ui/product.ts';
import { ThemeToggle } from '../ui/ThemeToggle.tsx';

const SignedInNav = lazily(() => import('./SignedInNav.tsx'), 'SignedInNav');

export function Header() {
  const phase = useSelector(selectPhase);
  const status = useSelector(selectStatus);
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-card print:hidden">
      <div className="flex min-h-14 items-center gap-x-3 px-4 sm:px-6">
        <Link
          to={paths.home}
          className="flex min-h-8 items-center gap-2 font-semibold text-strong pointer-coarse:min-h-11"
        >
          <Logo />
          {/* The narrowest screens show only the logo. */}
          <span className="max-[24rem]:sr-only">{PRODUCT_NAME}</span>
        </Link>
        {status?.auth_system.development_mode && (
          <Badge tone="attention">
            DEV<span className="max-sm:sr-only"> MODE</span>
          </Badge>
        )}
        <nav aria-label="Main" className="ml-auto flex items-center gap-0.5">
          {phase === 'authenticated' && (
            <Suspense fallback={null}>
              <SignedInNav />
            </Suspense>
          )}
          {phase === 'unauthenticated' && <Visitor />}
          <ThemeToggle />
        </nav>
      </div>
    </header>
  );
}

function Visitor() {
  return (
    <>
      <Link to={paths.login} className={buttonClasses('quiet')}>
        Login
      </Link>
      <Link to={paths.signup} className={buttonClasses('secondary')}>
        Sign Up
      </Link>
    </>
  );
}
