import { Link } from 'react-router-dom';
import type { AdminUserJob } from '../../../../src/http/contract/admin/users.ts';
import { wholeScore } from '../../../../src/model/scores.ts';
import { adminJobPath } from '../../../ui/adminPaths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import type { Tone } from '../../../ui/Notice.tsx';
import { ExactTime } from '../../../ui/text/ExactTime.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { count, cutMiddle, hostWithoutWww } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { useListUserJobsInfiniteQuery } from './usersApi.ts';

const HOST_LENGTH = 44;

export function UserJobs({ userId }: { userId: string }) {
  const query = useListUserJobsInfiniteQuery(userId);
  return (
    <Card title="Jobs">
      <AdminAnswer
        query={query}
        title="Failed to load the jobs"
        textOf={(status) => `Failed to fetch jobs: ${status || 'no answer'}`}
      >
        {({ pages }) => {
          const jobs = pages.flatMap(({ data }) => data);
          if (jobs.length === 0) return <p className="text-muted">No jobs yet.</p>;
          return (
            <>
              <ul aria-label="Jobs" className="divide-y divide-line border-t border-line">
                {jobs.map((job) => (
                  <UserJobRow key={job.id} job={job} to={adminJobPath(job.id)} />
                ))}
              </ul>
              {query.hasNextPage && (
                <Button className="mt-2" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Load more
                </Button>
              )}
            </>
          );
        }}
      </AdminAnswer>
    </Card>
  );
}

/** `past`: as of a past moment. */
export function UserJobRow({ job, to, past = false }: { job: AdminUserJob; to: string; past?: boolean }) {
  const [tone, word] = outcomeOf(job);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <Link
        to={to}
        title={job.url}
        className="min-w-0 flex-1 basis-48 font-medium text-strong underline-offset-2 wrap-anywhere hover:underline"
      >
        {cutMiddle(hostWithoutWww(job.host), HOST_LENGTH)}
      </Link>
      <Badge tone={tone}>{word}</Badge>
      <span className="text-sm text-muted tabular-nums">
        {job.score !== null && `score ${wholeScore(job.score)} · `}
        {job.not_judged && 'not scored · '}
        {count(job.action_count, 'action item')} · {job.access === 'full' ? 'full' : 'preview'} ·{' '}
        {past ? <ExactTime iso={job.created_at} /> : <RelativeTime iso={job.created_at} />}
      </span>
    </li>
  );
}

function outcomeOf({ status, reason_code: code }: AdminUserJob): readonly [tone: Tone | 'plain', word: string] {
  switch (status) {
    case 'completed':
      return ['good', 'Completed'];
    case 'partially_completed':
    case 'partial_success':
      return ['attention', 'Partially Completed'];
    case 'failed':
      return code === 'CANCELLED' ? ['plain', 'Cancelled'] : ['bad', 'Failed'];
    default:
      return ['info', 'Running'];
  }
}
