import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectStatus } from '../../api/system.ts';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';

/** Until mail can be sent, a person helps. */
export function ForgotPasswordPage() {
  usePageTitle('Forgot your password');
  const status = useSelector(selectStatus);
  const email = status?.support_email;
  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      <h1 className="text-2xl">Forgot your password?</h1>
      <p>
        This server does not send reset emails yet.{' '}
        {email ? (
          <>
            Write to{' '}
            <a href={`mailto:${email}`} className="text-accent underline underline-offset-2">
              {email}
            </a>{' '}
            from the address of your account, and somebody will help you.
          </>
        ) : (
          'Ask the person who runs it for help.'
        )}
      </p>
      <Link to={paths.login} className="inline-block text-accent underline underline-offset-2">
        Back to log in
      </Link>
    </div>
  );
}
