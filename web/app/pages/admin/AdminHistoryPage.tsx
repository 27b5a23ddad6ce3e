import { useSearchParams } from 'react-router-dom';
import { EventCauses } from '../../../features/admin/causes/EventCauses.tsx';
import { FindHistory } from '../../../features/admin/history/FindHistory.tsx';
import { StreamHistory } from '../../../features/admin/history/StreamHistory.tsx';
import { PastScreen, PastStart } from '../../../features/admin/past/PastScreen.tsx';
import { pastRequestIn } from '../../../features/admin/past/pastAddress.ts';
import { usePageTitle } from '../../../ui/pageTitle.ts';

/** Shows what the address names: a stream's history, an event with its causes, a search, or a past state. */
export function AdminHistoryPage() {
  usePageTitle('History');
  const [address] = useSearchParams();
  const [stream, event, find] = [address.get('stream') ?? '', address.get('event') ?? '', address.get('find') ?? ''];
  const past = pastRequestIn(address);
  if (past) return <PastScreen asked={past} />;
  return (
    <div className="space-y-4">
      {stream === '' && <h1 className="text-xl sm:text-2xl">History</h1>}
      <FindHistory text={find} explained={stream === ''} />
      {stream !== '' && <StreamHistory key={stream} stream={stream} />}
      {event !== '' && <EventCauses key={event} eventId={event} />}
      {stream === '' && event === '' && find === '' && <PastStart />}
    </div>
  );
}
