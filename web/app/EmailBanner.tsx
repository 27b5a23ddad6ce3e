import { Suspense } from 'react';
import { useLocation } from 'react-router-dom';
import { confirmsBy } from '../features/account/emailState.ts';
import { lazily } from '../ui/lazily.ts';
import { Notice } from '../ui/Notice.tsx';
import { paths } from '../ui/paths.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useEmailNote } from './useEmailNote.ts';

const EmailNote = lazily(() => import('../features/account/EmailNote.tsx'), 'EmailNote');

/**
 * On every page, until the day by which the user's email has to be confirmed. The account page says it beside the
 * email.
 */
export function EmailBanner() {
  const shown = useEmailNote();
  const { pathname } = useLocation();
  if (!shown || confirmsBy(shown.profile) === null || pathname === paths.account) return null;
  return (
    <Notice tone="attention" className="mb-4 [&>div]:flex-1 print:hidden">
      <Suspense fallback={<Skeleton className="h-14 w-full" />}>
        <EmailNote {...shown} />
      </Suspense>
    </Notice>
  );
}
