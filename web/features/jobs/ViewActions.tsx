import { ListChecks } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { actionsPath } from '../../ui/paths.ts';
import { hostWithoutWww } from '../../ui/text/wording.ts';

export interface ActionsButtonProps {
  job: JobView;
  variant?: 'quiet' | 'primary';
}

export function ViewActions({ job, variant = 'quiet', number }: ActionsButtonProps & { number: number }) {
  return (
    <Link to={actionsPath(job)} className={buttonClasses(variant, variant === 'quiet' ? 'text-accent' : '')}>
      <ListChecks aria-hidden="true" size={14} />
      View Actions ({number}) <span className="sr-only">for {hostWithoutWww(job.host)}</span>
    </Link>
  );
}
