import { ArrowLeft } from 'lucide-react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectStatus } from '../../api/system.ts';
import { ApiKeysSection } from '../../features/account/programs/ApiKeysSection.tsx';
import { PowerNote } from '../../features/account/programs/PowerNote.tsx';
import { WebhooksSection } from '../../features/account/programs/WebhooksSection.tsx';
import { useGetSubscriptionQuery } from '../../features/account/subscription/subscriptionApi.ts';
import { selectIsAdmin } from '../../features/auth/authSlice.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';

export function ApiPage() {
  const isAdmin = useSelector(selectIsAdmin);
  const sells = (useSelector(selectStatus)?.payments ?? 'off') !== 'off';
  const { data } = useGetSubscriptionQuery(undefined, { skip: !sells });
  usePageTitle('API and webhooks');
  return (
    <div className="space-y-4">
      <Link to={paths.account} className={buttonClasses('quiet', '-ml-2')}>
        <ArrowLeft aria-hidden="true" size={14} />
        Back to Account
      </Link>
      <h1 className="text-2xl">API and webhooks</h1>
      {sells && data && !isAdmin && data.balance.plan !== 'tier4' && <PowerNote />}
      <ApiKeysSection isAdmin={isAdmin} />
      <WebhooksSection />
    </div>
  );
}
