import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Link } from 'react-router-dom';
import { OBSERVATIONS, type Observation } from '../../../../src/model/liveFeed.ts';
import { grouped } from '../../../ui/text/wording.ts';
import type { LiveFeed } from './feedApi.ts';
import { filterAddress, OBSERVATION_NAMES } from './feedWords.ts';

const CHIP =
  'inline-flex min-h-8 shrink-0 items-center gap-1.5 rounded-control border px-2 text-sm whitespace-nowrap pointer-coarse:min-h-11';

/** How many addresses show what. All have their places from the beginning, so that none moves while another appears. */
export function FeedCounters({ counts, chosen }: { counts: LiveFeed['counts']; chosen: Observation | null }) {
  return (
    <nav aria-label="Filter what was read" className="border-t border-line">
      <ul className="flex gap-1 overflow-x-auto px-4 py-1.5">
        <Counter name={null} number={counts.all} chosen={chosen} />
        {OBSERVATIONS.map((name) => (
          <Counter key={name} name={name} number={counts[name]} chosen={chosen} />
        ))}
      </ul>
    </nav>
  );
}

interface CounterProps {
  name: Observation | null;
  number: number;
  chosen: Observation | null;
}

function Counter({ name, number, chosen }: CounterProps) {
  const isChosen = name === chosen;
  const label = name === null ? 'All URLs' : OBSERVATION_NAMES[name];
  const text = (
    <>
      {label} <span className="text-xs tabular-nums">{grouped(number)}</span>
    </>
  );
  if (number === 0 && !isChosen) return <li className={clsx(CHIP, 'border-transparent text-muted')}>{text}</li>;
  return (
    <li>
      <Link
        to={filterAddress(isChosen ? null : name)}
        replace
        aria-current={isChosen ? 'true' : undefined}
        className={clsx(
          CHIP,
          isChosen
            ? 'border-accent bg-accent-soft font-medium text-accent'
            : 'border-line bg-card text-normal hover:bg-inset',
        )}
      >
        {text}
        {isChosen && name !== null && <X aria-hidden="true" size={12} />}
      </Link>
    </li>
  );
}
