import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { mailtoOf } from '../../../src/model/emailAddress.ts';
import { selectStatus } from '../../api/system.ts';
import { ForgotPasswordForm } from '../../features/auth/ForgotPasswordForm.tsx';
import { OutboxNote } from '../../ui/OutboxNote.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';

export function ForgotPasswordPage() {
  usePageTitle('Forgot your password');
  const status = useSelector(selectStatus);
  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      <h1 className="text-2xl">Forgot your password?</h1>
      {status?.mail === 'none' ? (
        <NoMail email={status.support_email} />
      ) : (
        <>
          <p className="text-muted">Enter your email and we’ll send you a reset link.</p>
          <ForgotPasswordForm />
          <OutboxNote kept={status?.mail === 'kept'} />
        </>
      )}
      <Link to={paths.login} className="inline-block py-1 text-sm link">
        Back to log in
      </Link>
    </div>
  );
}

/** Shown on an installation without a mail server: the user has to contact support. */
function NoMail({ email }: { email: string }) {
  return (
    <p>
      This server doesn’t send email. Write to{' '}
      <a href={mailtoOf(email)} className="link">
        {email}
      </a>{' '}
      from your account’s email address and someone will help you.
    </p>
  );
}
