import { clsx } from 'clsx';
import { useMemo, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { readableText } from '../../../../src/model/readableAddress.ts';
import { jobPath } from '../../../ui/paths.ts';
import { count } from '../../../ui/text/wording.ts';
import { useWidth } from '../../../ui/useWidth.ts';
import { changed } from '../page/tables/tableAddress.ts';
import { TO_ROWS } from '../page/toRows.ts';
import type { ColorBy } from './address.ts';
import { type Folder, measured } from './folderTree.ts';
import { patternOf } from './Legend.tsx';
import { levelOf, type Means, surfaceOf } from './levels.ts';
import { type Cell, cellsOf } from './treemap.ts';

interface TreemapProps {
  jobId: string;
  folder: Folder;
  by: ColorBy;
  means: Means;
  height: number;
}

/** The folders in a folder by size. Hidden from screen readers: the table beside it has the same folders. */
export function Treemap({ jobId, folder, by, means, height }: TreemapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const cells = useMemo(() => cellsOf(folder, width, height), [folder, width, height]);
  return (
    <div ref={frame} aria-hidden="true" className="relative overflow-hidden" style={{ height }}>
      {cells.map((cell) => (
        <CellLink key={cell.key} jobId={jobId} cell={cell} by={by} means={means} />
      ))}
    </div>
  );
}

const NAME_FROM = { width: 30, height: 19 } as const;
const TEXT_FROM = { width: 84, height: 52 } as const;

function CellLink({ jobId, cell, by, means }: { jobId: string; cell: Cell; by: ColorBy; means: Means }) {
  const [search] = useSearchParams();
  const { kind, folder, pages, inside, level: depth, x, y, width, height } = cell;
  // Of pages beside the folders no depth is known, of folders in one rectangle nothing.
  const known = kind === 'folder' || (kind === 'own' && by !== 'depth');
  const own = { ...folder.own, fewest: null, most: null };
  const { level, text } = levelOf(kind === 'own' ? own : measured(folder), by, means);
  const hasTitle = inside > 0 && kind === 'folder';
  const name = nameOf(cell);
  const isSmall = width < NAME_FROM.width || height < NAME_FROM.height;
  const opens = kind === 'folders' || folder.folders.length > 0;
  const frame = {
    title: `${folder.path}${known && kind === 'folder' ? '' : ` (${name})`}: ${count(pages, 'page')}${known ? `, ${text}` : ''}`,
    className: clsx(
      'absolute block overflow-hidden rounded-[4px] text-xs text-strong',
      !isSmall && (width < 60 ? 'px-1 py-0.5' : 'px-1.5 py-0.5'),
      depth === 0 && 'border border-line-strong/40',
      isSmall && known && patternOf(level),
    ),
    style: {
      left: x,
      top: y,
      width,
      height,
      backgroundColor: hasTitle ? 'var(--color-inset)' : known ? surfaceOf(by, level) : 'var(--color-inset)',
    },
  };
  const content =
    !isSmall &&
    (hasTitle ? (
      <span className="flex gap-1.5 leading-5 whitespace-nowrap">
        <strong className="min-w-0 truncate font-semibold">{name}</strong>
        {width > 110 && <span className="text-muted tabular-nums">{count(pages, 'page')}</span>}
        {width > 210 && <span className="ml-auto text-muted">{text}</span>}
      </span>
    ) : (
      <>
        <span className={clsx('block truncate leading-4.5', known ? 'font-medium' : 'text-muted')}>{name}</span>
        {width >= TEXT_FROM.width && height >= TEXT_FROM.height && known && (
          <>
            <span className="block truncate leading-4 tabular-nums">{count(pages, 'page')}</span>
            <span className="block truncate leading-4">{text}</span>
          </>
        )}
      </>
    ));
  // Pages right in the shown folder: there is nothing further to open.
  if (kind === 'own' && depth === 0) return <div {...frame}>{content}</div>;
  return (
    <Link
      {...frame}
      to={opens ? changed(search, { folder: folder.path }) : jobPath(jobId, { tab: 'pages', folder: folder.path })}
      {...(opens ? { replace: true, preventScrollReset: true } : TO_ROWS)}
      tabIndex={-1}
      className={clsx(frame.className, 'outline-offset-[-2px] hover:outline-2 hover:outline-accent')}
    >
      {content}
    </Link>
  );
}

function nameOf({ kind, folder, pages, inside }: Cell): string {
  if (kind === 'own') return `${count(pages, 'page')} here`;
  if (kind === 'folders') return `${count(inside, 'smaller folder')}`;
  return readableText(folder.name);
}
