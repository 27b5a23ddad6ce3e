import { Link } from 'react-router-dom';
import { atOf, type Shown, timeOf } from './momentText.ts';
import { MomentForm, PastBanner } from './PastBanner.tsx';
import { type PastRequest, pathOf } from './pastAddress.ts';

const LISTS = ['jobs', 'users', 'prompts', 'sequences'] as const;
type List = (typeof LISTS)[number];
const NAMES: Readonly<Record<List, string>> = {
  jobs: 'Jobs',
  users: 'Users',
  prompts: 'Prompts',
  sequences: 'Email sequences',
};

function listOf(view: List, at: string): PastRequest {
  if (view === 'jobs') return { view, userId: null, status: 'all', search: '', at };
  return view === 'users' ? { view, search: '', at } : { view, at };
}

interface ListHeadProps {
  title: string;
  /** The list shown; absent: not one of all. */
  list?: List;
  shown: Shown;
  /** Path of what it is a past state of. */
  now: string;
  onShow: (next: { readonly at: string }) => void;
}

/** Above a list: its title, the moment, and the other lists of the same moment. */
export function ListHead({ title, list, shown, now, onShow }: ListHeadProps) {
  const at = shown.moment ? atOf(shown.moment) : shown.at;
  return (
    <>
      <PastBanner shown={shown} now={now} />
      <nav aria-label="Lists at this time" className="flex flex-wrap gap-x-4">
        {LISTS.map((each) => (
          <Link
            key={each}
            to={pathOf(listOf(each, at))}
            aria-current={each === list ? 'page' : undefined}
            className="inline-flex min-h-8 items-center link aria-[current]:font-medium aria-[current]:text-strong aria-[current]:no-underline pointer-coarse:min-h-11"
          >
            {NAMES[each]}
          </Link>
        ))}
      </nav>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="min-w-0 flex-1 basis-64 text-xl wrap-anywhere sm:text-2xl">{title}</h1>
        <MomentForm time={timeOf(shown)} onShow={(at) => onShow({ at })} />
      </div>
    </>
  );
}
