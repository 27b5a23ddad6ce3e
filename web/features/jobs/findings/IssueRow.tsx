import { clsx } from 'clsx';
import { ChevronDown, Circle, CircleCheck, CircleDot, Lightbulb } from 'lucide-react';
import { memo } from 'react';
import type { CauseView } from '../../../../src/http/contract/findings.ts';
import { shortDuration } from '../../../../src/model/wording.ts';
import { categoryName } from '../../../ui/text/categoryName.ts';
import { ImpactMark } from '../page/ImpactMark.tsx';
import { points } from '../page/points.ts';
import { STATUS_TEXTS, type Task } from './issueTasks.ts';
import { reachOf } from './reach.ts';

export interface IssueRowProps {
  cause: CauseView;
  /** As it is now; null if the issue has no task. */
  status: Task['status'] | 'optional' | null;
  /** Pages of the audit; null where only some of them are shown. */
  of: number | null;
  /** Only what was found on one page. */
  onOnePage: boolean;
  open: boolean;
  /** Opens in place, under the row. */
  inPlace: boolean;
  /** Id of what it opens. */
  controls: string;
  selected: boolean;
  onToggle: (checkId: string, byKeyboard: boolean) => void;
  onSelect: (checkId: string) => void;
}

const ICONS = { todo: Circle, 'in-progress': CircleDot, completed: CircleCheck, optional: Lightbulb };
const COLORS = { todo: 'text-muted', 'in-progress': 'text-accent', completed: 'text-good', optional: 'text-muted' };

/**
 * An issue in one line, in two on a phone. What has no space in a narrow list is left out; the opened issue has it.
 * Memoized: a key that is pressed changes one or two of perhaps very many.
 */
export const IssueRow = memo(function IssueRow({
  cause,
  status,
  of,
  onOnePage,
  open,
  inPlace,
  controls,
  selected,
  onToggle,
  onSelect,
}: IssueRowProps) {
  const { checkId, title, impact, hint, points: cost } = cause;
  const reach = reachOf(cause, of, onOnePage);
  const Icon = status && ICONS[status];
  const statusText = status && (status === 'optional' ? 'Optional' : STATUS_TEXTS[status]);
  return (
    <div className={clsx('flex items-stretch', open ? 'bg-accent-soft' : 'hover:bg-inset')}>
      <label className="flex w-9 shrink-0 cursor-pointer items-center justify-center pl-2 pointer-coarse:w-11 print:hidden">
        <input type="checkbox" checked={selected} onChange={() => onSelect(checkId)} className="size-4 accent-accent" />
        <span className="sr-only">Select {title}</span>
      </label>
      <h3 className="min-w-0 flex-1 text-base font-normal">
        <button
          type="button"
          data-issue={checkId}
          aria-expanded={open}
          aria-controls={open ? controls : undefined}
          // A click by keyboard has a `detail` of 0.
          onClick={({ detail }) => onToggle(checkId, detail === 0)}
          className="flex min-h-11 w-full flex-wrap rounded-control -outline-offset-2 items-center gap-x-2 py-1 pr-3 pl-1 text-left sm:min-h-10 sm:flex-nowrap sm:gap-x-3"
        >
          <span className="shrink-0 max-sm:order-2 @3xl:w-22">
            <ImpactMark impact={impact} hint={hint} wordClassName="sm:sr-only @3xl:not-sr-only" />
          </span>
          <span
            title={title}
            className={clsx(
              'min-w-0 flex-1 font-medium text-strong max-sm:order-1 max-sm:basis-full',
              !(open && inPlace) && 'truncate',
            )}
          >
            {title}
          </span>
          <span className="hidden w-26 shrink-0 truncate text-sm text-muted @3xl:block">
            {categoryName(cause.category)}
          </span>
          <span className="flex shrink-0 items-center gap-2 text-sm text-muted tabular-nums max-sm:order-3 @lg:w-42">
            {reach.share !== null && (
              <span className="hidden @lg:block">
                <ReachBar share={reach.share} />
              </span>
            )}
            {reach.text}
          </span>
          {!onOnePage && (
            <span
              className={clsx(
                'w-13 shrink-0 text-right text-sm tabular-nums max-sm:order-4 max-sm:w-auto @3xl:w-20',
                cost === 0 && 'max-sm:hidden',
              )}
            >
              {cost > 0 && (
                <>
                  <span className="sr-only">, </span>−{points(cost)}
                  <span className="sm:sr-only @3xl:not-sr-only"> {points(cost) === '1' ? 'point' : 'points'}</span>
                </>
              )}
            </span>
          )}
          <span className="hidden w-20 shrink-0 whitespace-nowrap text-right text-sm text-muted tabular-nums @3xl:block">
            <span className="sr-only">, </span>
            {shortDuration(cause.minutes)}
          </span>
          <span className="flex shrink-0 items-center gap-1.5 text-sm text-muted max-sm:order-5 max-sm:ml-auto @3xl:w-28 @3xl:pl-4">
            {Icon && (
              <>
                <Icon aria-hidden="true" size={14} className={status ? COLORS[status] : undefined} />
                <span className="sr-only">, Task: </span>
                <span className="sr-only @3xl:not-sr-only">{statusText}</span>
              </>
            )}
          </span>
          {inPlace && (
            <ChevronDown
              aria-hidden="true"
              size={14}
              className={clsx('shrink-0 text-muted max-sm:hidden', open && 'rotate-180')}
            />
          )}
        </button>
      </h3>
    </div>
  );
});

/** Says nothing that the text beside it does not. */
export function ReachBar({ share }: { share: number }) {
  return (
    <span aria-hidden="true" className="block h-1.5 w-10 shrink-0 overflow-hidden rounded-full bg-line">
      {/* Never so short that it looks empty. */}
      <span className="block h-full rounded-full bg-line-strong" style={{ width: `${Math.max(6, share * 100)}%` }} />
    </span>
  );
}
