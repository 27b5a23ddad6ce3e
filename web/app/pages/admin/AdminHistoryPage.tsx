import { useSearchParams } from 'react-router-dom';
import { PastScreen, PastStart } from '../../../features/admin/past/PastScreen.tsx';
import { askedOf } from '../../../features/admin/past/pastAddress.ts';
import { usePageTitle } from '../../../ui/pageTitle.ts';

/** What the address asks for of the past. */
export function AdminHistoryPage() {
  usePageTitle('History');
  const [address] = useSearchParams();
  const asked = askedOf(address);
  if (asked) return <PastScreen asked={asked} />;
  return (
    <div className="space-y-4">
      <h1 className="text-xl sm:text-2xl">History</h1>
      <PastStart />
    </div>
  );
}
