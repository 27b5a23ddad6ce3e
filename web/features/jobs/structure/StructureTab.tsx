import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import type { NoRecord } from '../../../../src/http/contract/links.ts';
import type { Structure } from '../../../../src/http/contract/structure.ts';
import { readableText } from '../../../../src/model/readableAddress.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { jobPath } from '../../../ui/paths.ts';
import { count, grouped } from '../../../ui/text/wording.ts';
import { AuditPart } from '../page/AuditPart.tsx';
import { commonOrigin } from '../page/addressText.ts';
import { Nothing } from '../page/Nothing.tsx';
import { rowsOf } from '../page/reportApi.ts';
import { NewAudit, RecordedSince } from '../page/tables/NewAudit.tsx';
import { changed } from '../page/tables/tableAddress.ts';
import { TO_ROWS } from '../page/toRows.ts';
import type { AskToSpend } from '../useRunAgain.tsx';
import { COLORS, type ColorBy, type StructureAddress, structureIn, VIEWS } from './address.ts';
import { FolderRows } from './FolderRows.tsx';
import { type Folder, treeOf, wayTo } from './folderTree.ts';
import { LinkedPages } from './graph/LinkedPages.tsx';
import { LinkGraph } from './graph/LinkGraph.tsx';
import { Legend } from './Legend.tsx';
import { type Means, meansOf } from './levels.ts';
import { PlaceLists, StructureSkeleton } from './PlaceLists.tsx';
import { useGetStructureQuery } from './structureApi.ts';
import { Treemap } from './Treemap.tsx';

/** How the site is built: its folders, the links between its pages, and pages that are hard to reach. */
export function StructureTab({ job, Ask }: { job: JobView; Ask: AskToSpend }) {
  const query = useGetStructureQuery(rowsOf(job));
  return (
    <AuditPart query={query} loading={<StructureSkeleton />}>
      {(structure) => <Shown job={job} Ask={Ask} structure={structure} />}
    </AuditPart>
  );
}

function Shown({ job, Ask, structure }: { job: JobView; Ask: AskToSpend; structure: Structure }) {
  const [search] = useSearchParams();
  const address = structureIn(search);
  const root = useMemo(() => treeOf(structure.folders), [structure]);
  const origin = useMemo(() => commonOrigin(structure.graph.pages.map(({ url }) => url)), [structure]);
  if (root === null) return <Nothing text="The audit has no pages." />;
  const isEarlier = structure.graph.noRecord === 'earlier_version';
  const means = meansOf(root);
  const of = { job, structure, address, means };
  return (
    <div className="space-y-4">
      {isEarlier && <RecordedSince job={job} Ask={Ask} what="the links between pages, and their PageRank" />}
      <section aria-label="Structure" className="panel">
        <header className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-line px-3 py-2">
          <Choices name="view" label="View" values={VIEWS} value={address.view} usual="folders" />
          <Choices name="color" label="Color" values={COLORS} value={address.color} usual="issues" />
          {address.view === 'graph' && <MenusSwitch structure={structure} on={address.menus} />}
          <p className="ml-auto text-sm text-muted tabular-nums">{sumText(structure)}</p>
        </header>
        <Everywhere jobId={job.id} issues={structure.everywhere} />
        {address.view === 'folders' ? <Folders {...of} root={root} /> : <Graph {...of} Ask={Ask} origin={origin} />}
      </section>
      <PlaceLists jobId={job.id} places={structure.places} isEarlier={isEarlier} origin={origin} />
    </div>
  );
}

/** Issues that are named at once. */
const NAMED = 3;

/** What nearly every page has would color all alike, so it is named once. */
function Everywhere({ jobId, issues }: { jobId: string; issues: Structure['everywhere'] }) {
  const [isOpen, setOpen] = useState(false);
  if (issues.length === 0) return null;
  const shown = isOpen ? issues : issues.slice(0, NAMED);
  const more = issues.length - shown.length;
  return (
    <div className="flex flex-wrap items-center gap-x-4 border-b border-line px-3 py-1 text-sm">
      <h2 id="everywhere" className="text-sm font-normal text-muted">
        On nearly every page:
      </h2>
      <ul aria-labelledby="everywhere" className="contents">
        {shown.map(({ checkId, title }) => (
          <li key={checkId}>
            <Link
              {...TO_ROWS}
              to={jobPath(jobId, { tab: 'findings', cause: checkId })}
              className="link inline-flex min-h-8 items-center pointer-coarse:min-h-11"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button variant="quiet" aria-expanded={false} onClick={() => setOpen(true)}>
          {grouped(more)} more
        </Button>
      )}
    </div>
  );
}

/** Of the colors by findings. */
const withoutOf = ({ everywhere }: Structure, by: ColorBy): string | false =>
  by === 'issues' && everywhere.length > 0 && 'Apart from what nearly every page has:';

function sumText({ pages, folders, moreFolders }: Structure): string {
  return `${count(pages, 'page')} in ${count(folders.length + moreFolders, 'folder')}`;
}

interface PartProps {
  job: JobView;
  structure: Structure;
  address: StructureAddress;
  means: Means;
}

/** Trees with so many folders are shown whole: there is room for them. */
const SMALL = 12;

function Folders({ job, structure, address, means, root }: PartProps & { root: Folder }) {
  const way = wayTo(root, address.folder);
  const folder = way.at(-1) ?? root;
  const shown = folder.folders.length > 0 ? folder : (way.at(-2) ?? root);
  return (
    <>
      <div className="grid lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
        <div className="min-w-0 p-3 lg:border-r lg:border-line">
          <Way jobId={job.id} way={way} />
          <Treemap jobId={job.id} folder={shown} by={address.color} means={means} height={392} />
          <div className="mt-2">
            <Legend
              of="folders"
              by={address.color}
              means={means}
              without={withoutOf(structure, address.color)}
              unknown={
                address.color === 'depth'
                  ? 'No link leads there'
                  : address.color === 'rank' && means.pageRank === 0 && 'Unknown'
              }
            />
          </div>
        </div>
        <FolderRows
          jobId={job.id}
          root={root}
          way={way}
          isWhole={structure.folders.length <= SMALL}
          by={address.color}
          means={means}
        />
      </div>
      {structure.moreFolders > 0 && (
        <p className="border-t border-line px-3 py-2 text-sm text-muted">
          The {grouped(structure.folders.length)} largest folders are listed. Pages of{' '}
          {count(structure.moreFolders, 'smaller folder')} count for the folders that they are in.
        </p>
      )}
    </>
  );
}

/** The folders around the opened one, and its pages. */
function Way({ jobId, way }: { jobId: string; way: readonly Folder[] }) {
  const [search] = useSearchParams();
  const folder = way.at(-1);
  if (!folder) return null;
  return (
    <nav aria-label="Opened folder" className="mb-2 flex min-h-8 flex-wrap items-center gap-x-1 text-sm">
      {way.map((each, level) => (
        <span key={each.path} className="flex items-center gap-1">
          {level > 0 && <ChevronRight aria-hidden="true" size={12} className="text-muted" />}
          {each === folder ? (
            <strong className="font-medium text-strong">{level === 0 ? 'All folders' : readableText(each.name)}</strong>
          ) : (
            <Link
              to={changed(search, { folder: level === 0 ? null : each.path })}
              replace
              preventScrollReset
              className="link inline-flex min-h-8 items-center pointer-coarse:min-h-11"
            >
              {level === 0 ? 'All folders' : readableText(each.name)}
            </Link>
          )}
        </span>
      ))}
      <Link
        {...TO_ROWS}
        to={jobPath(jobId, { tab: 'pages', ...(way.length > 1 ? { folder: folder.path } : {}) })}
        className="link ml-auto inline-flex min-h-8 items-center pointer-coarse:min-h-11"
      >
        List {count(folder.pages, 'page')}
      </Link>
    </nav>
  );
}

function Graph({
  job,
  structure,
  address,
  means,
  Ask,
  origin,
}: PartProps & { Ask: AskToSpend; origin: string | null }) {
  const [active, setActive] = useState<number | null>(null);
  const { graph } = structure;
  const notes = notesOf(structure, address.menus);
  if (graph.noRecord !== null && graph.noRecord !== 'removed')
    return <p className="px-4 py-12 text-center">{whyNot(graph.noRecord)}</p>;
  const of = { jobId: job.id, origin, active, onActive: setActive };
  return (
    <>
      {graph.noRecord === 'removed' && (
        <div className="p-3 pb-0">
          <NewAudit job={job} Ask={Ask}>
            The links of this audit were removed: newer audits of this site have theirs.
          </NewAudit>
        </div>
      )}
      {graph.preview && (
        <Notice tone="info" className="m-3 mb-0">
          <p>This preview has the links on pages with a finding that is open to you.</p>
        </Notice>
      )}
      <div className="grid xl:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
        <div className="min-w-0 p-3 xl:border-r xl:border-line">
          <LinkGraph {...of} structure={structure} by={address.color} means={means} menus={address.menus} />
          <div className="mt-2 space-y-1">
            <Legend
              of="pages"
              by={address.color}
              means={means}
              without={withoutOf(structure, address.color)}
              unknown={address.color === 'depth' && 'No link leads there'}
            />
            {notes.length > 0 && <p className="text-xs text-muted">{notes.join(' ')}</p>}
          </div>
        </div>
        <LinkedPages {...of} pages={graph.pages} />
      </div>
    </>
  );
}

function notesOf({ graph: { pages, morePages, edges, moreEdges } }: Structure, menus: boolean): readonly string[] {
  // Links of menus are left out first.
  const isCut = moreEdges > 0 && (menus || !edges.own.includes(false));
  return [
    'The larger a page, the higher its PageRank; dashed links are nofollow.',
    morePages > 0
      ? `The ${grouped(pages.length)} pages with the highest PageRank are shown, ${grouped(morePages)} are not.`
      : '',
    isCut ? `${count(moreEdges, 'more link is', 'more links are')} not shown.` : '',
  ].filter((note) => note !== '');
}

function whyNot(why: Exclude<NoRecord, 'removed'>): string {
  if (why === 'earlier_version') return 'This audit has no links between pages. A new audit will have them.';
  return why === 'preview'
    ? 'The links open to you come with the action items.'
    : 'This site is too large for its links to be kept.';
}

interface ChoicesProps<Value extends string> {
  /** In the address. */
  name: string;
  label: string;
  values: Readonly<Record<Value, string>>;
  value: Value;
  /** Not in the address. */
  usual: Value;
}

function Choices<Value extends ColorBy | keyof typeof VIEWS>({
  name,
  label,
  values,
  value,
  usual,
}: ChoicesProps<Value>) {
  const [search] = useSearchParams();
  const id = useId();
  return (
    <div className="flex items-center gap-2">
      <span id={id} className="text-xs text-muted max-sm:sr-only">
        {label}
      </span>
      <ul aria-labelledby={id} className="flex rounded-control outline outline-line">
        {(Object.entries(values) as [Value, string][]).map(([each, text]) => (
          <li key={each}>
            <Link
              to={changed(search, { [name]: each === usual ? null : each })}
              replace
              preventScrollReset
              aria-current={each === value ? 'true' : undefined}
              className={clsx(
                'flex min-h-8 items-center rounded-control px-2.5 text-sm pointer-coarse:min-h-11',
                each === value ? 'bg-accent-soft font-medium text-accent' : 'text-normal hover:bg-inset',
              )}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Links that most pages have show nothing of how the site is built, so they are only there on request. */
function MenusSwitch({ structure, on }: { structure: Structure; on: boolean }) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { own } = structure.graph.edges;
  const number = own.filter((each) => !each).length;
  if (number === 0) return null;
  return (
    <label className="flex min-h-8 items-center gap-2 text-sm pointer-coarse:min-h-11">
      <input
        type="checkbox"
        checked={on}
        onChange={() =>
          void navigate(changed(search, { menus: on ? null : 'yes' }), { replace: true, preventScrollReset: true })
        }
        className="size-4 accent-accent"
      />
      Show {count(number, 'menu link')}
    </label>
  );
}
