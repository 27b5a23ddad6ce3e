import { useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { selectUnreachable } from '../../features/auth/authSlice.ts';
import { LoginForm } from '../../features/auth/LoginForm.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { SampleLink } from '../SampleLink.tsx';

export function LoginPage() {
  usePageTitle('Log in');
  const unreachable = useSelector(selectUnreachable);
  const notice = (useLocation().state as { notice?: unknown } | null)?.notice;
  return (
    <div className="py-6 sm:py-16">
      {unreachable && (
        <Notice tone="attention" title="The server does not answer" className="mx-auto mb-6 max-w-sm">
          <p>You are still logged in here. This page goes on by itself as soon as the server is back.</p>
        </Notice>
      )}
      {typeof notice === 'string' && (
        <div role="status" className="mx-auto mb-6 max-w-sm">
          <Notice tone="good">
            <p>{notice}</p>
          </Notice>
        </div>
      )}
      <LoginForm />
      <SampleLink />
    </div>
  );
}
