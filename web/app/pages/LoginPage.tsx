import { useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { selectAuth } from '../../features/auth/authSlice.ts';
import { LoginForm } from '../../features/auth/LoginForm.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { SampleLink } from '../SampleLink.tsx';

const DELETED = 'Your account and everything in it has been deleted.';

export function LoginPage() {
  usePageTitle('Log in');
  const { unreachable, ended, deletion } = useSelector(selectAuth);
  const given = (useLocation().state as { notice?: unknown } | null)?.notice;
  const own = deletion === 'done' ? DELETED : ended && 'Your session has ended. Log in to continue where you left off.';
  const notice = typeof given === 'string' ? given : own;
  return (
    <div className="py-6 sm:py-16">
      {unreachable && (
        <Notice tone="attention" title="The server isn’t responding" className="mx-auto mb-6 max-w-sm">
          <p>You’re still logged in. This page will continue as soon as the server is back.</p>
        </Notice>
      )}
      {notice && (
        <div role="status" className="mx-auto mb-6 max-w-sm">
          <Notice tone={ended ? 'info' : 'good'}>
            <p>{notice}</p>
          </Notice>
        </div>
      )}
      <LoginForm />
      <SampleLink />
    </div>
  );
}
