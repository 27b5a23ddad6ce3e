import { X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { confirmsBy } from '../features/account/emailState.ts';
import { Button } from '../ui/Button.tsx';
import { lazily } from '../ui/lazily.ts';
import { Notice } from '../ui/Notice.tsx';
import { paths } from '../ui/paths.ts';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useEmailNote } from './useEmailNote.ts';

const EmailNote = lazily(() => import('../features/account/EmailNote.tsx'), 'EmailNote');

/** Above the jobs, until dismissed. A pending change of email is shown on the account page only. */
export function HomeEmailNote() {
  const shown = useEmailNote();
  const about =
    shown && `${shown.profile.id} ${shown.profile.email_state}${shown.profile.email_required_from ? ' required' : ''}`;
  const [hidden, setHidden] = useState(keptHidden);
  if (!shown || shown.profile.email_state === 'confirmed' || hidden === about) return null;
  // The banner of all pages says it.
  if (confirmsBy(shown.profile) !== null) return null;
  const hide = (): void => {
    setHidden(about);
    keepHidden(about ?? '');
  };
  return (
    <Notice tone="info" className="[&>div]:flex-1">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <Suspense fallback={<Skeleton className="h-14 w-full" />}>
            <EmailNote {...shown} />
          </Suspense>
          {shown.profile.email_state === 'lost' && (
            <Link to={paths.account} className="text-sm underline underline-offset-2">
              Go to your account
            </Link>
          )}
        </div>
        <Button variant="quiet" aria-label="Dismiss" onClick={hide}>
          <X aria-hidden="true" size={14} />
        </Button>
      </div>
    </Notice>
  );
}

const KEY = 'email_note_hidden';

/** Where storage is blocked, the note returns on the next visit. */
function keepHidden(about: string): void {
  try {
    localStorage.setItem(KEY, about);
  } catch {
    // Storage is blocked.
  }
}

function keptHidden(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
