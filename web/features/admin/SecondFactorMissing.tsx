import { Link } from 'react-router-dom';
import { Notice } from '../../ui/Notice.tsx';
import { paths } from '../../ui/paths.ts';

/** Shown when the second factor was turned off while the page was open. */
export function SecondFactorMissing({ text }: { text: string }) {
  return (
    <Notice tone="attention" title="Two-factor authentication required">
      <p>{text}</p>
      <Link to={paths.account} className="inline-block py-1 underline underline-offset-2">
        Go to your account
      </Link>
    </Notice>
  );
}
