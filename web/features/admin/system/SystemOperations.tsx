import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { Installation } from './Installation.tsx';
import { MailsAndWebhooks } from './MailsAndWebhooks.tsx';
import { ParkedEvents } from './ParkedEvents.tsx';
import { Processes } from './Processes.tsx';
import { ReadModels } from './ReadModels.tsx';
import { useGetSystemQuery } from './systemApi.ts';
import { WorkQueue } from './WorkQueue.tsx';

/** The installation from an operator's view: pending work, failures, and what to do about them. */
export function SystemOperations() {
  const query = useGetSystemQuery(undefined, { ...ADMIN_POLLING, refetchOnMountOrArgChange: true });
  return (
    <AdminAnswer
      query={query}
      title="Failed to load the installation"
      textOf={() => 'Failed to fetch the state of the installation'}
    >
      {(data) => (
        <>
          <ParkedEvents parked={data.parked} />
          <WorkQueue work={data.work} />
          <MailsAndWebhooks failedToday={data.failed_today} keepsMail={data.switches.mail === 'kept'} />
          <Processes processes={data.processes} />
          <ReadModels projections={data.projections} />
          <Installation system={data} />
        </>
      )}
    </AdminAnswer>
  );
}
