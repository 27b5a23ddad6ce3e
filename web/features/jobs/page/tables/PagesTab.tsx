import { Columns3, Download, Grid3x3, Table2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../../src/http/contract/jobs.ts';
import type { PagesQuery, PagesResponse } from '../../../../../src/http/contract/pages.ts';
import { INDEXABILITIES, PAGE_ROLES, ROLE_TEXTS } from '../../../../../src/model/pages.ts';
import { fetchFile } from '../../../../api/fetchFile.ts';
import { sessionEnded } from '../../../../api/sessionEnded.ts';
import { Button, buttonClasses } from '../../../../ui/Button.tsx';
import { useKeptFocus } from '../../../../ui/focus/keptFocus.ts';
import { Grid } from '../../../../ui/grid/Grid.tsx';
import { GridSkeleton } from '../../../../ui/grid/GridSkeleton.tsx';
import type { GridSort } from '../../../../ui/grid/gridColumn.ts';
import { lazily } from '../../../../ui/lazily.ts';
import { Notice } from '../../../../ui/Notice.tsx';
import { saveFile } from '../../../../ui/saveFile.ts';
import { count, grouped, hostWithoutWww } from '../../../../ui/text/wording.ts';
import type { AskToSpend } from '../../useRunAgain.tsx';
import { AuditPart } from '../AuditPart.tsx';
import { commonOrigin } from '../addressText.ts';
import { Nothing } from '../Nothing.tsx';
import { pagesFilePath, rowsOf, useListCausesQuery, useListPagesInfiniteQuery } from '../reportApi.ts';
import { type Facet, facetOf } from './FacetChips.tsx';
import { keepColumns, keptColumns } from './kept.ts';
import { type MatrixPage, matrixColumnsOf } from './matrixColumns.tsx';
import { Narrowed } from './Narrowed.tsx';
import { RecordedSince } from './NewAudit.tsx';
import { ALL_COLUMNS, firstOrderOf, gridColumnsOf, type PageColumn, USUAL_COLUMNS } from './pageColumns.tsx';
import {
  INDEXABILITY_NAMES,
  MISSING_NAMES,
  PLACE_NAMES,
  SHOW_NAMES,
  STATUS_NAMES,
  TASK_NAMES,
  TYPE_NAMES,
} from './pageWords.ts';
import { TableFrame, ToolName } from './TableFrame.tsx';
import { changed, given, oneOf } from './tableAddress.ts';
import { Views } from './Views.tsx';

const ColumnsDialog = lazily(() => import('./ColumnsDialog.tsx'), 'ColumnsDialog');

const STEP = 100;
const MATRIX = 'matrix';
const USUAL_SORT: PageColumn = 'findings';

const NARROWED = [{ name: 'folder', text: 'Pages in', without: 'Pages in any folder' }] as const;

type Asked = Omit<PagesQuery, 'columns' | 'limit' | 'cursor'>;

const keysOf = <Key extends string>(names: Readonly<Record<Key, unknown>>): readonly Key[] =>
  Object.keys(names) as Key[];

/** As the server takes it. */
const FOLDER = /^\/(?:.*\/)?$/;

function askedIn(search: URLSearchParams): Asked {
  const depth = search.get('depth') ?? '';
  const folder = search.get('folder') ?? '';
  return given({
    show: oneOf(search, 'show', keysOf(SHOW_NAMES)),
    status: oneOf(search, 'status', keysOf(STATUS_NAMES)),
    indexability: oneOf(search, 'indexability', INDEXABILITIES),
    role: oneOf(search, 'role', PAGE_ROLES),
    depth: /^(?:\d{1,4}|none)$/.test(depth) ? depth : '',
    place: oneOf(search, 'place', keysOf(PLACE_NAMES)),
    folder: FOLDER.test(folder) ? folder : '',
    type: oneOf(search, 'type', keysOf(TYPE_NAMES)),
    missing: oneOf(search, 'missing', keysOf(MISSING_NAMES)),
    template: search.get('template') ?? '',
    task: oneOf(search, 'task', keysOf(TASK_NAMES)),
    search: search.get('search') ?? '',
    sort: oneOf(search, 'sort', ALL_COLUMNS),
    order: oneOf(search, 'order', ['asc', 'desc']),
  });
}

const sortIn = ({ sort = USUAL_SORT, order = firstOrderOf(sort) }: Asked): GridSort => ({ by: sort, order });

/** As the address says, or as this browser remembers. */
function columnsIn(search: URLSearchParams): readonly PageColumn[] {
  const wanted = (search.get('columns') ?? keptColumns() ?? '').split(',');
  const known = wanted.flatMap((name) => ALL_COLUMNS.find((column) => column === name && column !== 'url') ?? []);
  return known.length > 0 ? [...new Set(known)] : USUAL_COLUMNS;
}

/** All fetched pages, with every column that is known of them; those with most to do first. */
export function PagesTab({ job, Ask }: { job: JobView; Ask: AskToSpend }) {
  const [search] = useSearchParams();
  const columns = columnsIn(search).join();
  const isMatrix = search.get('mode') === MATRIX;
  const asked = askedIn(search);
  const { by, order } = sortIn(asked);
  const query = useListPagesInfiniteQuery({
    ...rowsOf(job),
    ...asked,
    sort: by as PageColumn,
    order,
    // What cells of other columns need.
    columns: [...new Set(['url', ...(isMatrix ? [] : columns.split(',')), 'highImpact', 'problem'])].join(),
    ...(isMatrix ? { issues: 'yes' } : {}),
    limit: STEP,
  });

  return (
    <AuditPart query={query} loading={<GridSkeleton label="Loading the pages" />}>
      {({ pages }) => (
        <PageTable
          job={job}
          Ask={Ask}
          lists={pages}
          asked={asked}
          columns={columns}
          isMatrix={isMatrix}
          busy={query.isFetching}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </AuditPart>
  );
}

interface PageTableProps {
  job: JobView;
  Ask: AskToSpend;
  lists: readonly PagesResponse[];
  asked: Asked;
  /** Without the address. */
  columns: string;
  /** Issues as columns, in place of what is known of each page. */
  isMatrix: boolean;
  busy: boolean;
  onMore: () => void;
}

function PageTable({ job, Ask, lists, asked, columns, isMatrix, busy, onMore }: PageTableProps) {
  const [search] = useSearchParams();
  const pages = useMemo(() => lists.flatMap(matrixPagesOf), [lists]);
  const origin = useMemo(() => commonOrigin(pages.map(({ url = '' }) => url)), [pages]);
  // Known from the overview above.
  const causes = useListCausesQuery(rowsOf(job)).data?.causes;
  const shown = useMemo(
    () =>
      isMatrix
        ? matrixColumnsOf(job.id, causes ?? [], pages, origin)
        : gridColumnsOf(job.id, ['url', ...(columns.split(',') as PageColumn[])], origin),
    [job.id, columns, origin, isMatrix, causes, pages],
  );
  const region = useRef<HTMLElement>(null);
  useKeptFocus(region);
  const data = lists[0]?.data;
  if (!data) return null;
  const { total, facets } = data;
  const left = total - pages.length;
  const sorted = sortIn(asked);
  // Every page has a role where roles are known.
  const isEarlier = total > 0 && facets.role.length === 0;
  const params = { ...asked, sort: sorted.by, order: sorted.order, columns: `url,${columns}` };
  return (
    <TableFrame
      name="Pages"
      placeholder="URL, title, or description"
      facets={facetsOf(data)}
      filters={['folder']}
      number={left > 0 ? `${grouped(pages.length)} of ${count(total, 'page')}` : count(total, 'page')}
      busy={busy}
      notice={
        <>
          <Narrowed search={search} ends={NARROWED} />
          {isEarlier && (
            <RecordedSince job={job} Ask={Ask} what="indexability with its reason, roles, templates, and links" />
          )}
        </>
      }
      tools={
        <>
          <ModeButton isMatrix={isMatrix} />
          <Views query={viewOf(search, columns)} />
          {!isMatrix && (
            <>
              <ColumnsButton columns={columns} />
              <CsvButton job={job} params={params} />
            </>
          )}
        </>
      }
    >
      {(full) =>
        pages.length === 0 ? (
          <Nothing text="No pages match these filters." />
        ) : (
          <Grid
            label="Pages"
            columns={shown}
            rows={pages}
            total={total}
            sorted={sorted}
            sortTo={(column, order) =>
              changed(search, {
                sort: column === USUAL_SORT ? null : column,
                order: order === firstOrderOf(column as PageColumn) ? null : order,
              })
            }
            region={region}
            className={full ? 'min-h-0 flex-1' : 'max-h-[80vh]'}
            more={{ left, step: STEP, busy, onMore }}
          />
        )
      }
    </TableFrame>
  );
}

function matrixPagesOf({ data: { pages, issues } }: PagesResponse): readonly MatrixPage[] {
  if (issues === null) return pages;
  return pages.map((page, at) => ({
    ...page,
    byIssue: new Map(issues[at]?.map(({ checkId, findings }) => [checkId, findings])),
  }));
}

/** A link, as the mode is part of the address. */
function ModeButton({ isMatrix }: { isMatrix: boolean }) {
  const [search] = useSearchParams();
  const Icon = isMatrix ? Table2 : Grid3x3;
  return (
    <Link to={changed(search, { mode: isMatrix ? null : MATRIX })} replace className={buttonClasses('quiet')}>
      <Icon aria-hidden="true" size={14} />
      <ToolName>{isMatrix ? 'Table' : 'Issue matrix'}</ToolName>
    </Link>
  );
}

const asNumbers = (counts: readonly { readonly value: string; readonly pages: number }[]) =>
  counts.map(({ value, pages }) => ({ value, number: pages }));

function facetsOf({ counts, facets }: PagesResponse['data']): readonly Facet[] {
  const shows = keysOf(SHOW_NAMES).map((value) => ({ value, number: counts[value] }));
  const depths = asNumbers(facets.depth)
    .map(({ value, number }) => ({ value, label: value === 'none' ? 'No link' : value, number }))
    .sort((a, b) => depthOf(a.value) - depthOf(b.value));
  const templates = asNumbers(facets.template).map((each) => ({ ...each, label: each.value }));
  return [
    facetOf('indexability', 'Indexability', INDEXABILITY_NAMES, asNumbers(facets.indexability)),
    facetOf('role', 'Role', ROLE_TEXTS, asNumbers(facets.role)),
    facetOf('missing', 'Missing', MISSING_NAMES, asNumbers(facets.missing)),
    ...[
      facetOf('show', 'Show', SHOW_NAMES, shows),
      facetOf('status', 'Status', STATUS_NAMES, asNumbers(facets.status)),
      { name: 'depth', title: 'Depth', values: depths },
      facetOf('place', 'Place', PLACE_NAMES, asNumbers(facets.place)),
      facetOf('type', 'Type', TYPE_NAMES, asNumbers(facets.type)),
      facetOf('task', 'Task', TASK_NAMES, asNumbers(facets.task)),
      { name: 'template', title: 'Template', values: templates, menu: true },
    ].map((facet) => ({ ...facet, folded: true })),
  ];
}

const depthOf = (value: string): number => (value === 'none' ? Number.POSITIVE_INFINITY : Number(value));

/** What a saved view keeps of the address. */
function viewOf(search: URLSearchParams, columns: string): string {
  const view = new URLSearchParams(changed(search, { tab: null, columns }));
  return String(view);
}

function ColumnsButton({ columns }: { columns: string }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const change = (next: readonly PageColumn[]): void => {
    const usual = next.length === 0 || next.join() === USUAL_COLUMNS.join();
    keepColumns(usual ? null : next.join());
    void navigate(changed(search, { columns: usual ? null : next.join() }), { replace: true });
  };
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Columns3 aria-hidden="true" size={14} />
        <ToolName>Columns</ToolName>
      </Button>
      {open && (
        <ColumnsDialog shown={columns.split(',') as PageColumn[]} onChange={change} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

function CsvButton({ job, params }: { job: JobView; params: Readonly<Record<string, string | undefined>> }) {
  const dispatch = useDispatch();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    const content = await fetchFile(pagesFilePath(job.id), params, () => dispatch(sessionEnded()));
    setBusy(false);
    setFailed(content === null);
    if (content) saveFile(`${hostWithoutWww(job.host)}-pages.csv`, content);
  };
  return (
    <>
      <Button variant="quiet" busy={busy} onClick={() => void save()}>
        <Download aria-hidden="true" size={14} />
        <ToolName>CSV of this view</ToolName>
      </Button>
      {failed && (
        <Notice tone="bad" className="order-first basis-full">
          <p>The file could not be downloaded. Try again.</p>
        </Notice>
      )}
    </>
  );
}
