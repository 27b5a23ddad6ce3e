import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { readableText } from '../../../../src/model/readableAddress.ts';
import { Button } from '../../../ui/Button.tsx';
import { jobPath } from '../../../ui/paths.ts';
import { count, grouped } from '../../../ui/text/wording.ts';
import { changed } from '../page/tables/tableAddress.ts';
import { TO_ROWS } from '../page/toRows.ts';
import type { ColorBy } from './address.ts';
import { type Folder, measured } from './folderTree.ts';
import { Swatch } from './Legend.tsx';
import { levelOf, type Means, rankText } from './levels.ts';

/** Folders of one folder that are listed at once. */
const STEP = 50;

interface FolderRowsProps {
  jobId: string;
  root: Folder;
  /** From the root to the opened folder. */
  way: readonly Folder[];
  /** All folders are open, and stay so. */
  isWhole: boolean;
  by: ColorBy;
  means: Means;
}

/** The tree of folders: those on the way to the opened one are open. Arrow keys open, close, and move. */
export function FolderRows({ jobId, root, way, isWhole, by, means }: FolderRowsProps) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [more, setMore] = useState<Readonly<Record<string, number>>>({});
  const open = new Set(way.map(({ path }) => path));
  const opened = (folder: Folder, isOpen: boolean): string =>
    changed(search, { folder: isOpen ? parentPath(way, folder) : folder.path });
  const go = (to: string): void => void navigate(to, { replace: true, preventScrollReset: true });
  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    const name = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-folder]') : null;
    if (!name) return;
    const names = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-folder]')];
    const isOpen = name.getAttribute('aria-expanded');
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) names[names.indexOf(name) + step]?.focus();
    else if ((event.key === 'ArrowRight' && isOpen === 'false') || (event.key === 'ArrowLeft' && isOpen === 'true'))
      name.click();
    else if (event.key === 'ArrowLeft')
      names
        .findLast(
          (each) =>
            name.dataset.folder !== each.dataset.folder && name.dataset.folder?.startsWith(each.dataset.folder ?? ''),
        )
        ?.focus();
    else return;
    event.preventDefault();
  };
  const rows: ReactNode[] = [];
  const add = (folder: Folder, level: number): void => {
    const isOpen = folder.folders.length > 0 && (isWhole || open.has(folder.path));
    rows.push(
      <FolderRow
        key={folder.path}
        jobId={jobId}
        folder={folder}
        root={root}
        level={level}
        isOpen={isWhole ? null : isOpen}
        isChosen={folder === way.at(-1)}
        onToggle={() => go(opened(folder, isWhole ? folder === way.at(-1) : isOpen))}
        by={by}
        means={means}
      />,
    );
    if (!isOpen) return;
    const shown = more[folder.path] ?? STEP;
    for (const inner of folder.folders.slice(0, shown)) add(inner, level + 1);
    const left = folder.folders.length - shown;
    if (left > 0)
      rows.push(
        <tr key={`${folder.path} more`}>
          <td colSpan={5} style={{ paddingLeft: indentOf(level + 1) }}>
            <Button variant="quiet" onClick={() => setMore({ ...more, [folder.path]: shown + STEP })}>
              Show {Math.min(STEP, left)} more of {count(left, 'folder')} in {readableText(folder.path)}
            </Button>
          </td>
        </tr>,
      );
  };
  add(root, 0);
  return (
    <section
      aria-label="Folders"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to.
      tabIndex={0}
      className="max-h-[28.5rem] overflow-auto"
    >
      <table className="w-full min-w-[26rem] border-separate border-spacing-0 text-left text-sm">
        <thead className="text-xs text-muted">
          <tr>
            {['Folder', 'Pages', 'With findings', 'Depth', 'PageRank'].map((head, at) => (
              <th
                key={head}
                scope="col"
                className={clsx(
                  'sticky top-0 z-10 border-b border-line bg-card py-2 font-normal whitespace-nowrap',
                  at === 0 ? 'pl-3 text-left' : 'px-2 text-right',
                  at === 4 && 'pr-3',
                )}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>{rows}</tbody>
      </table>
    </section>
  );
}

const indentOf = (level: number): string => `${8 + 14 * level}px`;

/** Of the folder around; null for the root, which is always open. */
function parentPath(way: readonly Folder[], folder: Folder): string | null {
  const at = way.indexOf(folder) - 1;
  return at > 0 ? (way[at]?.path ?? null) : null;
}

interface FolderRowProps {
  jobId: string;
  folder: Folder;
  root: Folder;
  level: number;
  /** Null: it cannot be closed. */
  isOpen: boolean | null;
  isChosen: boolean;
  onToggle: () => void;
  by: ColorBy;
  means: Means;
}

function FolderRow({ jobId, folder, root, level, isOpen, isChosen, onToggle, by, means }: FolderRowProps) {
  const { path, pages, withFindings, withHighImpact, shallowest, deepest, pageRank } = folder;
  const name = folder === root ? 'All folders' : readableText(folder.name);
  const pagesPath = (more: Readonly<Record<string, string>> = {}): string =>
    jobPath(jobId, { tab: 'pages', ...(folder === root ? {} : { folder: path }), ...more });
  const where = folder === root ? 'all folders' : path;
  const cell = clsx('border-b border-line px-2 text-right tabular-nums', isChosen && 'bg-accent-soft');
  return (
    <tr className="h-10 hover:bg-inset">
      <th
        scope="row"
        className={clsx('max-w-0 border-b border-line pr-2 font-normal', isChosen && 'bg-accent-soft')}
        style={{ paddingLeft: indentOf(level), width: '40%' }}
      >
        <span className="flex items-center gap-1.5">
          {folder.folders.length > 0 && folder !== root ? (
            <button
              type="button"
              data-folder={path}
              aria-expanded={isOpen ?? undefined}
              aria-current={isChosen ? 'true' : undefined}
              onClick={onToggle}
              title={path}
              className="flex min-h-8 min-w-0 flex-1 items-center gap-1 rounded-control text-left text-strong hover:text-accent pointer-coarse:min-h-11"
            >
              <ChevronRight
                aria-hidden="true"
                size={14}
                className={clsx(
                  'shrink-0 text-muted transition-transform duration-150',
                  isOpen !== false && 'rotate-90',
                )}
              />
              <Swatch by={by} level={levelOf(measured(folder), by, means).level} />
              <span className="truncate">{name}</span>
            </button>
          ) : (
            <span
              data-folder={path}
              tabIndex={-1}
              title={path}
              className={clsx(
                'flex min-w-0 items-center gap-1',
                folder === root ? 'pl-1 font-medium text-strong' : 'pl-4.5',
              )}
            >
              <Swatch by={by} level={levelOf(measured(folder), by, means).level} />
              <span className="truncate">{name}</span>
            </span>
          )}
        </span>
      </th>
      <td className={cell}>
        <span className="flex items-center justify-end gap-2">
          <span aria-hidden="true" className="h-1.5 w-10 rounded-full bg-inset max-sm:hidden">
            <span
              className="block h-full min-w-px rounded-full bg-accent"
              style={{ width: `${(100 * pages) / Math.max(1, root.pages)}%` }}
            />
          </span>
          <Link
            {...TO_ROWS}
            to={pagesPath()}
            aria-label={`${count(pages, 'page')} in ${where}`}
            className="link min-w-9 pointer-coarse:touch-line"
          >
            {grouped(pages)}
          </Link>
        </span>
      </td>
      <td className={cell}>
        {withFindings > 0 ? (
          <span className="whitespace-nowrap">
            {withHighImpact > 0 && (
              <Link
                {...TO_ROWS}
                to={pagesPath({ show: 'high' })}
                aria-label={`${count(withHighImpact, 'page')} with a high-impact finding in ${where}`}
                className="mr-2 text-xs text-bad underline underline-offset-2 pointer-coarse:touch-line"
              >
                {grouped(withHighImpact)} high
              </Link>
            )}
            <Link
              {...TO_ROWS}
              to={pagesPath({ show: 'findings' })}
              aria-label={`${count(withFindings, 'page')} with findings in ${where}`}
              className="link pointer-coarse:touch-line"
            >
              {grouped(withFindings)}
            </Link>
          </span>
        ) : (
          <span className="text-muted">none</span>
        )}
      </td>
      <td className={clsx(cell, 'whitespace-nowrap')}>
        {deepest === null ? (
          <span className="text-muted">no link</span>
        ) : shallowest === deepest ? (
          deepest
        ) : (
          `${shallowest}–${deepest}`
        )}
      </td>
      <td className={clsx(cell, 'pr-3')}>{rankText(pageRank)}</td>
    </tr>
  );
}
