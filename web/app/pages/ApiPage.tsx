import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { ApiKeysSection } from '../../features/account/programs/ApiKeysSection.tsx';
import { WebhooksSection } from '../../features/account/programs/WebhooksSection.tsx';
import { buttonLook } from '../../ui/Button.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';

export function ApiPage() {
  usePageTitle('API and webhooks');
  return (
    <div className="space-y-4">
      <Link to={paths.account} className={buttonLook('quiet', '-ml-2')}>
        <ArrowLeft aria-hidden="true" size={14} />
        Back to Account
      </Link>
      <h1 className="text-2xl">API and webhooks</h1>
      <ApiKeysSection />
      <WebhooksSection />
    </div>
  );
}
