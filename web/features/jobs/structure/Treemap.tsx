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
import { levelOf, surfaceOf } from './levels.ts';
import { type Cell, cellsOf } from './treemap.ts';

interface TreemapProps {
  jobId: string;
  folder: Folder;
  by: ColorBy;
  /** PageRank of an average page. */
  average: number;
  height: number;
}

/** The folders in a folder by size. Hidden from screen readers: the table beside it has the same folders. */
export function Treemap({ jobId, folder, by, average, height }: TreemapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const cells = useMemo(() => cellsOf(folder, width, height), [folder, width, height]);
  return (
    <div ref={frame} aria-hidden="true" className="relative overflow-hidden" style={{ height }}>
      {cells.map((cell) => (
        <CellLink key={cell.key} jobId={jobId} cell={cell} by={by} average={average} />
      ))}
    </div>
  );
}

const NAME_FROM = { width: 30, height: 19 } as const;
const TEXT_FROM = { width: 84, height: 52 } as const;

function CellLink({ jobId, cell, by, average }: { jobId: string; cell: Cell; by: ColorBy; average: number }) {
  const [search] = useSearchParams();
  const { kind, folder, pages, inside, level: depth, x, y, width, height } = cell;
  const { level, text } = levelOf(measured(folder), by, average);
  const hasTitle = inside > 0 && kind === 'folder';
  const name = nameOf(cell);
  const isSmall = width < NAME_FROM.width || height < NAME_FROM.height;
  const opens = kind === 'folder' && folder.folders.length > 0;
  // Of pages beside the folders, and of folders in one rectangle, the level is not known.
  const known = kind === 'folder';
  return (
    <Link
      to={
        opens || !known
          ? changed(search, { folder: folder.path })
          : jobPath(jobId, { tab: 'pages', folder: folder.path })
      }
      {...(opens || !known ? { replace: true, preventScrollReset: true } : TO_ROWS)}
      tabIndex={-1}
      title={`${folder.path}${known ? '' : ` (${name})`}: ${count(pages, 'page')}${known ? `, ${text}` : ''}`}
      className={clsx(
        'absolute block overflow-hidden rounded-[4px] text-xs text-strong',
        'outline-offset-[-2px] hover:outline-2 hover:outline-accent',
        !isSmall && (width < 60 ? 'px-1 py-0.5' : 'px-1.5 py-0.5'),
        depth === 0 && 'border border-line-strong/40',
        isSmall && known && patternOf(level),
      )}
      style={{
        left: x,
        top: y,
        width,
        height,
        backgroundColor: hasTitle ? 'var(--color-inset)' : known ? surfaceOf(by, level) : 'var(--color-inset)',
      }}
    >
      {!isSmall &&
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
        ))}
    </Link>
  );
}

function nameOf({ kind, folder, pages, inside }: Cell): string {
  if (kind === 'own') return `${count(pages, 'page')} here`;
  if (kind === 'folders') return `${count(inside, 'smaller folder')}`;
  return readableText(folder.name);
}
