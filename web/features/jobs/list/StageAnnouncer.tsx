import { useEffect, useRef, useState } from 'react';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { groupOf } from '../../../../src/model/jobs.ts';
import { statusLabel } from '../../../ui/jobs/jobStatus.ts';
import { Status } from '../../../ui/text/Status.tsx';
import { hostWithoutWww } from '../../../ui/text/wording.ts';

/** With more running jobs than this, only their ends are announced. */
const FEW = 3;

/** Announces a job's next stage to screen readers, but not each page or percent. */
export function StageAnnouncer({ jobs }: { jobs: readonly JobView[] }) {
  const known = useRef(new Map<string, string>());
  const announced = useRef<readonly string[]>([]);
  const [text, setText] = useState('');
  useEffect(() => {
    const running = jobs.filter((job) => groupOf(job.status) === 'processing').length;
    const news = new Map<string, string>();
    for (const job of jobs) {
      const before = known.current.get(job.id);
      if (before && before !== job.status && (running <= FEW || groupOf(job.status) !== 'processing'))
        news.set(job.id, `${hostWithoutWww(job.host)}: ${statusLabel(job.status)}`);
    }
    known.current = new Map(jobs.map((job) => [job.id, job.status]));
    // The announcement for a deleted job is removed with it.
    if (news.size === 0 && announced.current.every((id) => known.current.has(id))) return;
    announced.current = [...news.keys()];
    setText([...news.values()].join('. '));
  }, [jobs]);
  return <Status>{text}</Status>;
}
