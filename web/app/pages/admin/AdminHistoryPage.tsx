import { useSearchParams } from 'react-router-dom';
import { EventCauses } from '../../../features/admin/causes/EventCauses.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

/** Of one event: its causes. */
export function AdminHistoryPage() {
  const [query] = useSearchParams();
  usePageTitle('History');
  const eventId = query.get('event');
  return (
    <div className="space-y-4">
      <h1 className="text-2xl">History</h1>
      {eventId === null ? <p className="text-muted">Open an event to see what led to it.</p> : <EventCauses key={eventId} eventId={eventId} />}
    </div>
  );
}
