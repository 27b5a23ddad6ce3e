import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { canResend } from '../features/account/emailState.ts';
import { lazily } from '../ui/lazily.ts';
import { paths } from '../ui/paths.ts';
import { useEmailNote } from './useEmailNote.ts';

const ResendLink = lazily(() => import('../features/account/ResendLink.tsx'), 'ResendLink');

/** For whoever was refused something because their email is not confirmed. */
export function ConfirmEmailHelp() {
  const shown = useEmailNote();
  if (!shown) return null;
  return (
    <div className="mt-2">
      {canResend(shown.profile) ? (
        <Suspense fallback={null}>
          <ResendLink />
        </Suspense>
      ) : (
        <Link to={paths.account} className="text-sm underline underline-offset-2">
          Go to your account
        </Link>
      )}
    </div>
  );
}
