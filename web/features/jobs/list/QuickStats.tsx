import { Link } from 'react-router-dom';
import { groupOf } from '../../../../src/model/jobs.ts';
import { Card } from '../../../ui/Card.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { useListJobsQuery } from '../jobsApi.ts';
import type { JobsCache } from '../jobsCache.ts';

/** Counts that link to their rows. */
export function QuickStats() {
  const { data } = useListJobsQuery();
  return (
    <Card title="Quick stats">
      <ul className="grid grid-cols-2 gap-3">
        <Stat name="Completed" filter="completed" data={data} />
        <Stat name="Processing" filter="processing" data={data} />
      </ul>
    </Card>
  );
}

function Stat({
  name,
  filter,
  data,
}: {
  name: string;
  filter: 'completed' | 'processing';
  data: JobsCache | undefined;
}) {
  const number = data && Object.values(data.jobs).filter((job) => groupOf(job.status) === filter).length;
  return (
    <li>
      <Link to={`?filter=${filter}`} className="block rounded-control border border-line px-3 py-2 hover:bg-inset">
        {number === undefined ? (
          <Skeleton className="my-1 h-7 w-8" />
        ) : (
          <span className="block text-2xl font-semibold text-strong tabular-nums">{grouped(number)}</span>
        )}{' '}
        <span className="text-sm text-muted">{name}</span>
      </Link>
    </li>
  );
}
