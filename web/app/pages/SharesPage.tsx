import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { SharesList } from '../../features/sharing/SharesList.tsx';
import { buttonLook } from '../../ui/Button.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';

export function SharesPage() {
  usePageTitle('Shared links');
  return (
    <div className="space-y-4">
      <header>
        <Link to={paths.home} className={buttonLook('quiet', '-ml-2')}>
          <ArrowLeft aria-hidden="true" size={14} />
          Back to All Jobs
        </Link>
        <h1 className="mt-2 text-xl sm:text-2xl">Shared links</h1>
        <p className="mt-1 max-w-[70ch] text-muted">
          Whoever has one of these links can read what it shares. Revoke a link to close it, also where it is open.
        </p>
      </header>
      <SharesList />
    </div>
  );
}
