import { useCallback, useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { ResetPasswordForm } from '../../features/auth/ResetPasswordForm.tsx';
import { linkTokens, type Link as ResetLink, verifyLink } from '../../features/auth/recovery.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import { Spinner } from '../../ui/Spinner.tsx';

const VERIFYING = { state: 'verifying' } as const;

/** Target of the link in the password reset email: verifies the link, then lets the user choose a new password. */
export function ResetPasswordPage() {
  usePageTitle('Reset password');
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [tokens, setTokens] = useState(() => linkTokens(hash));
  const [link, setLink] = useState<ResetLink | { readonly state: 'verifying' }>(VERIFYING);

  const verify = useCallback(async (): Promise<void> => {
    setLink(VERIFYING);
    setLink(await verifyLink(tokens));
  }, [tokens]);
  useEffect(() => void verify(), [verify]);
  useEffect(() => {
    if (!hash) return;
    setTokens((held) => {
      const given = linkTokens(hash);
      return given?.access === held?.access ? held : given;
    });
    // The tokens are stored, so remove them from the address bar and the history.
    void navigate(paths.resetPassword, { replace: true });
  }, [hash, navigate]);

  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      <h1 className="text-2xl">Reset your password</h1>
      {link.state === 'verifying' && (
        <div role="status" className="flex items-center gap-2 text-muted">
          <Spinner small />
          <p>Verifying reset link...</p>
        </div>
      )}
      {link.state === 'invalid' && (
        <>
          <Notice tone="bad">
            <p>Invalid or expired reset link. Please request a new password reset.</p>
          </Notice>
          <Link to={paths.forgotPassword} className={buttonClasses('primary')}>
            Request a new password reset
          </Link>
          <p className="text-sm text-muted">
            Already reset your password?{' '}
            <Link to={paths.login} className="link">
              Log in
            </Link>
          </p>
        </>
      )}
      {link.state === 'unreachable' && (
        <>
          <Notice tone="bad">
            <p>Unable to verify reset link. Please try again.</p>
          </Notice>
          <Button variant="primary" onClick={() => void verify()}>
            Try again
          </Button>
        </>
      )}
      {link.state === 'valid' && (
        <>
          <p className="text-muted">
            Choose a new password for{' '}
            {link.email === null ? 'your account' : <span className="text-normal wrap-anywhere">{link.email}</span>}.
            This logs you out everywhere.
          </p>
          <ResetPasswordForm tokens={tokens} email={link.email} onInvalid={() => setLink({ state: 'invalid' })} />
        </>
      )}
    </div>
  );
}
