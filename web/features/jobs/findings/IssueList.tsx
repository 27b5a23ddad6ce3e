import { clsx } from 'clsx';
import { Play } from 'lucide-react';
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { CauseView } from '../../../../src/http/contract/findings.ts';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { CATEGORY_ORDER } from '../../../../src/model/findings.ts';
import { Button } from '../../../ui/Button.tsx';
import { categoryName } from '../../../ui/text/categoryName.ts';
import { count } from '../../../ui/text/wording.ts';
import { useWide } from '../../../ui/useWide.ts';
import { commonOrigin } from '../page/addressText.ts';
import { points } from '../page/points.ts';
import type { Causes } from '../page/reportApi.ts';
import { useRowsInView } from '../page/toRows.ts';
import { changed, type FindingsAddress, SORTS } from './address.ts';
import { IssueDetail } from './IssueDetail.tsx';
import { IssuePanel } from './IssuePanel.tsx';
import { IssueRow } from './IssueRow.tsx';
import type { IssueTasks, NamedTask } from './issueTasks.ts';
import { rowFor, useIssueKeys } from './useIssueKeys.ts';

/** While a key is held, the opened issue waits for the last row. */
const FOLLOW_MS = 100;

interface IssueListProps {
  job: JobView;
  found: Causes;
  address: FindingsAddress;
  tasks: IssueTasks;
  onSearch: () => void;
}

/** The issues, one line each; the opened one beside them, or under its row where there is no space. */
export function IssueList({ job, found, address, tasks, onSearch }: IssueListProps) {
  const { filter, sort, group } = address;
  const [search, setSearch] = useSearchParams();
  const id = useId();
  const area = useRef<HTMLDivElement>(null);
  const wide = useWide();
  const [wish, setWish] = useState(0);
  const sections = useMemo(() => sectionsOf(found.causes, group === 'category'), [found.causes, group]);
  const causes = useMemo(() => sections.flatMap((section) => section.causes), [sections]);
  const origin = useMemo(() => commonOrigin(causes.map(({ first }) => first.url)), [causes]);
  const opened = causes.find(({ checkId }) => checkId === address.cause) ?? null;
  const item = useRowsInView<HTMLLIElement>(opened !== null, true);
  const { selected, onSelect, clear } = useSelection(causes);

  const open = (checkId: string | null): void => setSearch(changed(search, { cause: checkId }), { replace: true });
  const close = (): void => {
    if (opened) rowFor(area.current, opened.checkId)?.focus();
    open(null);
  };
  const toggle = (checkId: string, byKeyboard: boolean): void => {
    const enters = wide && byKeyboard;
    setWish((last) => (enters ? last + 1 : 0));
    if (checkId !== opened?.checkId) open(checkId);
    else if (!enters) open(null);
  };
  const step = (by: 1 | -1): void => {
    const next = causes[causes.findIndex(({ checkId }) => checkId === opened?.checkId) + by];
    if (next) open(next.checkId);
  };
  /** Its buttons go away: the focus moves to the first row that they were for. */
  const unselect = (): void => {
    const first = causes.find(({ checkId }) => selected.has(checkId));
    if (first) rowFor(area.current, first.checkId)?.focus();
    clear();
  };
  const taskOf = (cause: CauseView): NamedTask | null => cause.task && { ...tasks.now(cause.task), title: cause.title };
  const advance = (checkId: string): void => {
    const cause = causes.find((each) => each.checkId === checkId);
    const task = cause && taskOf(cause);
    if (task) tasks.advance(task);
  };

  const now = useRef({ open, toggle });
  useEffect(() => {
    now.current = { open, toggle };
  });
  // Never another function, so that the rows are not rendered again.
  const onToggle = useCallback((checkId: string, byKeyboard: boolean) => now.current.toggle(checkId, byKeyboard), []);
  const following = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(following.current), []);
  useIssueKeys(area, {
    opened: opened?.checkId ?? null,
    onMoved: (checkId) => {
      clearTimeout(following.current);
      if (wide && opened) following.current = setTimeout(() => now.current.open(checkId), FOLLOW_MS);
    },
    onSelect,
    onAdvance: advance,
    onSearch,
    onClose: close,
  });

  const of = filter.page || filter.template ? null : (found.score?.pages ?? job.pages_done);
  const only = {
    ...(filter.page ? { page: filter.page } : {}),
    ...(filter.template ? { template: filter.template } : {}),
  };
  const panelId = `${id}-panel`;
  const detailId = `${id}-detail`;
  const at = opened ? causes.indexOf(opened) : -1;
  return (
    <div className="flex flex-col gap-2">
      <div
        className={clsx(
          'flex min-h-8 flex-wrap items-center gap-x-3 px-1 text-sm text-muted tabular-nums xl:order-last pointer-coarse:min-h-11',
          // In sight wherever the list has been scrolled to.
          selected.size > 0 && 'sticky z-10 panel py-1 max-xl:top-16 xl:bottom-2',
        )}
      >
        {/* The counts of the filters and the tab: issues, and their findings. */}
        <p role="status">
          {selected.size > 0
            ? `${selected.size} selected`
            : `${count(found.findings, 'finding')} of ${count(causes.length, 'issue')}, ${SORTS[sort][1]}`}
        </p>
        {selected.size > 0 && (
          <StartSelected
            tasks={causes.flatMap((cause) => (selected.has(cause.checkId) ? (taskOf(cause) ?? []) : []))}
            onStart={(all) => {
              tasks.start(all);
              unselect();
            }}
            onClear={unselect}
          />
        )}
      </div>
      <div
        ref={area}
        className={opened && wide ? 'grid grid-cols-[minmax(0,9fr)_minmax(0,11fr)] items-start gap-4 print:block' : ''}
      >
        <div className="@container min-w-0 space-y-4">
          {sections.map(({ title, causes: own }) => (
            <section key={title} aria-label={title || undefined}>
              {title && (
                <h2 className="mb-1 flex items-baseline gap-2 px-1 text-base">
                  {title} <span className="text-sm font-normal text-muted tabular-nums">{sumText(own)}</span>
                </h2>
              )}
              <ol
                aria-label={title ? `Findings by issue, ${title}` : 'Findings by issue'}
                className="divide-y divide-line overflow-clip panel"
              >
                {own.map((cause) => {
                  const isOpen = cause === opened;
                  const task = cause.task && tasks.now(cause.task);
                  return (
                    <li
                      key={cause.checkId}
                      ref={isOpen ? item : undefined}
                      data-row={cause.checkId}
                      className="scroll-mt-20"
                    >
                      <IssueRow
                        cause={cause}
                        status={task && (task.optional ? 'optional' : task.status)}
                        of={of}
                        onOnePage={filter.page !== undefined}
                        open={isOpen}
                        inPlace={!wide}
                        controls={wide ? panelId : detailId}
                        selected={selected.has(cause.checkId)}
                        onToggle={onToggle}
                        onSelect={onSelect}
                      />
                      {isOpen && !wide && (
                        <div id={detailId} className="px-4 pt-2 pb-5 sm:pl-10">
                          <IssueDetail job={job} cause={cause} only={only} origin={origin} tasks={tasks} />
                        </div>
                      )}
                    </li>
                  );
                })}
              </ol>
            </section>
          ))}
        </div>
        {opened && wide && (
          <IssuePanel
            id={panelId}
            job={job}
            cause={opened}
            only={only}
            origin={origin}
            tasks={tasks}
            of={of}
            steps={{ previous: at > 0, next: at < causes.length - 1 }}
            wish={wish}
            onStep={step}
            onClose={close}
          />
        )}
      </div>
    </div>
  );
}

interface Section {
  readonly title: string;
  readonly causes: readonly CauseView[];
}

function sectionsOf(causes: readonly CauseView[], byCategory: boolean): readonly Section[] {
  if (!byCategory) return [{ title: '', causes }];
  return CATEGORY_ORDER.map((category) => ({
    title: categoryName(category),
    causes: causes.filter((cause) => cause.category === category),
  })).filter((section) => section.causes.length > 0);
}

function sumText(causes: readonly CauseView[]): string {
  const lost = causes.reduce((sum, cause) => sum + cause.points, 0);
  return count(causes.length, 'issue') + (lost > 0 ? ` · −${count(Number(points(lost)), 'point')}` : '');
}

/** Selected issues; those that are not listed (anymore) are not among them. */
function useSelection(causes: readonly CauseView[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(
    () => new Set(causes.map(({ checkId }) => checkId).filter((checkId) => chosen.has(checkId))),
    [causes, chosen],
  );
  const onSelect = useCallback(
    (checkId: string) =>
      setChosen((before) => {
        const next = new Set(before);
        if (!next.delete(checkId)) next.add(checkId);
        return next;
      }),
    [],
  );
  const clear = useCallback(() => setChosen(new Set()), []);
  return { selected, onSelect, clear };
}

interface StartSelectedProps {
  /** Those of the selected issues. */
  tasks: readonly NamedTask[];
  onStart: (tasks: readonly NamedTask[]) => void;
  onClear: () => void;
}

function StartSelected({ tasks, onStart, onClear }: StartSelectedProps) {
  const open = tasks.filter(({ status }) => status === 'todo');
  return (
    <>
      <Button inactive={open.length === 0} onClick={() => onStart(open)}>
        <Play aria-hidden="true" size={14} />
        {open.length === 0 ? 'No task to start' : `Start ${count(open.length, 'task')}`}
      </Button>
      <Button variant="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </>
  );
}
