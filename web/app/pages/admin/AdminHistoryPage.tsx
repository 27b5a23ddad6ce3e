import { useSearchParams } from 'react-router-dom';
import { EventCauses } from '../../../features/admin/causes/EventCauses.tsx';
import { FindHistory } from '../../../features/admin/history/FindHistory.tsx';
import { StreamHistory } from '../../../features/admin/history/StreamHistory.tsx';
import { PastScreen, PastStart } from '../../../features/admin/past/PastScreen.tsx';
import { type PastRequest, pastRequestIn } from '../../../features/admin/past/pastAddress.ts';
import { useShownFocus } from '../../../ui/focus/shownFocus.ts';
import { usePageTitle } from '../../../ui/pageTitle.ts';

const PAST_TITLES: Readonly<Record<PastRequest['view'], string>> = {
  job: 'Job snapshot',
  bill: 'Bill snapshot',
  jobs: 'Jobs snapshot',
  users: 'Users snapshot',
  prompts: 'Prompts snapshot',
  sequences: 'Email sequences snapshot',
  changes: 'What changed',
};

/** Shows what the address names: a stream's history, an event with its causes, a search, or a past state. */
export function AdminHistoryPage() {
  const [address] = useSearchParams();
  const [stream, event, find] = [address.get('stream') ?? '', address.get('event') ?? '', address.get('find') ?? ''];
  const past = pastRequestIn(address);
  usePageTitle(past ? PAST_TITLES[past.view] : ['History', stream || event || find].filter(Boolean).join(': '));
  // A search leaves the focus in its field, and the slider over a life in its place.
  useShownFocus([stream, event, past?.view ?? ''].join(' '));
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
