import { Download } from 'lucide-react';
import { Suspense } from 'react';
import { useDispatch } from 'react-redux';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { asFailure } from '../../api/failure.ts';
import { sessionEnded } from '../../api/sessionEnded.ts';
import { accessToken, clearTokens } from '../../api/tokens.ts';
import { Button } from '../../ui/Button.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { Tabs } from '../../ui/Tabs.tsx';
import { exactTime } from '../../ui/text/time.ts';
import { hostWithoutWww } from '../../ui/text/wording.ts';
import { useGetFileQuery } from './jobsApi.ts';

const Markdown = lazily(() => import('../../ui/text/Markdown.tsx'), 'Markdown');

const NAMES: Record<string, string> = {
  'seo-audit-report.md': 'Audit report',
  'executive-summary.md': 'Executive summary',
  'action-items.md': 'Action items',
  'findings.json': 'Findings (JSON)',
  'pages.csv': 'Pages (CSV)',
};

/** Most relevant first; unknown files, from a later version of the product, last. */
function inReadingOrder(files: readonly string[]): string[] {
  const known = Object.keys(NAMES).filter((name) => files.includes(name));
  return [...known, ...files.filter((name) => !known.includes(name))];
}

interface FileViewerProps {
  jobId: string;
  /** Null while loading, or when there is no such job. */
  job: JobView | null;
  file: string | null;
  developmentMode: boolean;
  onFile: (file: string) => void;
  onClose: () => void;
}

export function FileViewer({ jobId, job, file, developmentMode, onFile, onClose }: FileViewerProps) {
  const files = job && job.files.length > 0 ? inReadingOrder(job.files) : Object.keys(NAMES);
  const name = file && files.includes(file) ? file : (files[0] ?? '');
  const answer = useGetFileQuery({ jobId, name }, { skip: !jobId });
  const content = answer.currentData;
  const host = job ? hostWithoutWww(job.host) : '';
  return (
    <Dialog
      wide
      onClose={onClose}
      title={
        <>
          {host ? `Report of ${host}` : 'Report'}
          {job?.completed_at && (
            <span className="block text-sm font-normal text-muted">{exactTime(job.completed_at)}</span>
          )}
        </>
      }
    >
      <Tabs
        scrolls
        label="Files"
        value={name}
        choices={files.map((value) => ({ value, label: NAMES[value] ?? value }))}
        onChange={onFile}
        className="flex min-h-0 flex-1 flex-col"
        panelClassName="mt-2 min-h-0 flex-1 overflow-y-auto rounded-control border border-line bg-card p-4 sm:p-6"
        aside={
          <Button disabled={!content} onClick={() => content && saveFile(`${host || 'report'}-${name}`, content)}>
            <Download aria-hidden="true" size={14} />
            Download
          </Button>
        }
      >
        {!answer.isFetching && (answer.error || !jobId) ? (
          <FileProblem
            jobId={jobId}
            error={answer.error}
            developmentMode={developmentMode}
            onRetry={() => void answer.refetch()}
          />
        ) : answer.isSuccess && !answer.isFetching ? (
          <FileText name={name} content={content} />
        ) : (
          <FileSkeleton />
        )}
      </Tabs>
    </Dialog>
  );
}

function FileText({ name, content }: { name: string; content: unknown }) {
  if (typeof content !== 'string') return <Notice tone="bad" title="Invalid response format" />;
  if (content.trim() === '') return <p className="text-muted">No content available</p>;
  if (!name.endsWith('.md'))
    return (
      <pre className="font-mono text-sm whitespace-pre">{name.endsWith('.json') ? indented(content) : content}</pre>
    );
  return (
    <Suspense fallback={<FileSkeleton />}>
      <Markdown text={content} />
    </Suspense>
  );
}

interface FileProblemProps {
  jobId: string;
  error: unknown;
  developmentMode: boolean;
  onRetry: () => void;
}

function FileProblem({ jobId, error, developmentMode, onRetry }: FileProblemProps) {
  const { status, message } = asFailure(error);
  const unauthorized = status === 401 || status === 403 || !accessToken();
  const text = !jobId
    ? 'Job ID not found'
    : status === 401 || !accessToken()
      ? 'Authentication required'
      : problemText(status, message);
  return (
    <Notice tone="bad" title={text}>
      {unauthorized ? (
        <p>
          Your session may have ended.{' '}
          <a href={location.href} className="underline underline-offset-2">
            Refresh the page
          </a>
        </p>
      ) : (
        jobId && <Button onClick={onRetry}>Retry</Button>
      )}
      {developmentMode && <DevelopmentNote unauthorized={unauthorized} />}
    </Notice>
  );
}

/** Explains failures that are usual in development, and for a 401 offers a way to a new token. */
function DevelopmentNote({ unauthorized }: { unauthorized: boolean }) {
  const dispatch = useDispatch();
  const signInAnew = (): void => {
    clearTokens();
    dispatch(sessionEnded());
  };
  return (
    <>
      <p className="text-sm">
        This server runs in development mode: its data may have been reset since the page was opened.
      </p>
      {unauthorized && (
        <>
          <p className="text-sm">The demo account’s log-in was printed when the server was started.</p>
          <Button onClick={signInAnew}>Get a demo token</Button>
        </>
      )}
    </>
  );
}

function problemText(status: number, message: string): string {
  if (status === 0) return message || 'Network error';
  return message ? `${message} (${status})` : `Failed to load file: ${status}`;
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

function FileSkeleton() {
  return (
    <div role="status" className="space-y-3">
      <span className="sr-only">Loading the file</span>
      <Skeleton className="h-6 w-1/2" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-11/12" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="mt-6 h-5 w-1/3" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-3/4" />
    </div>
  );
}
