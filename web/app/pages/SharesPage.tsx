import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { SharesList } from '../../features/sharing/SharesList.tsx';
import { buttonClasses } from '../../ui/Button.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';

export function SharesPage() {
  usePageTitle('Shared links');
  return (
    <div className="space-y-4">
      <header>
        <Link to={paths.home} className={buttonClasses('quiet', '-ml-2')}>
          <ArrowLeft aria-hidden="true" size={14} />
          Back to All Jobs
        </Link>
        <h1 className="mt-2 text-xl sm:text-2xl">Shared links</h1>
        <p className="mt-1 max-w-[70ch] text-muted">
          Anyone with a link can view what it shares. Revoking works at once.
        </p>
      </header>
      <SharesList />
    </div>
  );
}
