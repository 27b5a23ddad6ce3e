import { Link } from 'react-router-dom';
import { nameOfTier } from '../../../../src/model/tiers.ts';
import { asFailure } from '../../../api/failure.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { paths } from '../../../ui/paths.ts';

/**
 * That another plan has keys and webhooks, and where to get it. `bad`: something has just been refused because of it.
 */
export function PowerNote({ bad = false }: { bad?: boolean }) {
  return (
    <Notice tone={bad ? 'bad' : 'info'}>
      <p>
        New keys and webhooks are part of the {nameOfTier('tier4')} plan.{' '}
        <Link to={paths.plans} className="underline underline-offset-2">
          See plans
        </Link>
      </p>
    </Notice>
  );
}

export const isForPower = (error: unknown): boolean => asFailure(error).code === 'FEATURE_ACCESS_DENIED';
