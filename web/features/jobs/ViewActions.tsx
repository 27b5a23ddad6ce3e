import { ListChecks } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { buttonLook } from '../../ui/Button.tsx';
import { actionsPath } from '../../ui/paths.ts';
import { hostWithoutWww } from '../../ui/text/wording.ts';

export interface ActionsButtonProps {
  job: JobView;
  look?: 'quiet' | 'primary';
}

export function ViewActions({ job, look = 'quiet', number }: ActionsButtonProps & { number: number }) {
  return (
    <Link to={actionsPath(job)} className={buttonLook(look, look === 'quiet' ? 'text-accent' : '')}>
      <ListChecks aria-hidden="true" size={14} />
      View Actions ({number}) <span className="sr-only">for {hostWithoutWww(job.host)}</span>
    </Link>
  );
}
