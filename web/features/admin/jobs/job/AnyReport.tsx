import { type ComponentProps, type ReactNode, Suspense, useState } from 'react';
import type { AdminReportResponse } from '../../../../../src/http/contract/admin/jobs.ts';
import { NOT_JUDGED_TEXTS } from '../../../../../src/model/scores.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { lazily } from '../../../../ui/lazily.ts';
import { Dialog } from '../../../../ui/overlay/Dialog.tsx';
import { QueryState } from '../../../../ui/QueryState.tsx';
import { NotJudged, ScoreRing } from '../../../../ui/ScoreRing.tsx';
import { Loading } from '../../../../ui/Spinner.tsx';
import { categoryName } from '../../../../ui/text/categoryName.ts';
import { count, hostWithoutWww, titleCase } from '../../../../ui/text/wording.ts';
import { AdminAnswer } from '../../AdminAnswer.tsx';
import { useGetAnyFileQuery, useGetAnyReportQuery } from '../adminJobsApi.ts';

const Markdown = lazily(() => import('../../../../ui/text/Markdown.tsx'), 'Markdown');

const failure = (status: number): string => `Failed to fetch the report: ${status}`;

/** The report as its owner sees it. Opening it takes a separate click, so that no admin reads one in passing. */
export function AnyReport({ jobId, host }: { jobId: string; host: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Report">
      {open ? (
        <Report jobId={jobId} host={host} />
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => setOpen(true)}>Open report</Button>
          <p className="text-sm text-muted">As its owner sees it. Opening another user’s report is logged.</p>
        </div>
      )}
    </Card>
  );
}

function Report({ jobId, host }: { jobId: string; host: string }) {
  const query = useGetAnyReportQuery(jobId);
  return (
    <AdminAnswer query={query} title="Failed to load the report" textOf={failure}>
      {({ files, found }) => (
        <div className="space-y-4">
          {found ? <Found found={found} /> : <p className="text-muted">No findings yet.</p>}
          <Files host={host} files={files} show={(name) => <File jobId={jobId} name={name} />} />
        </div>
      )}
    </AdminAnswer>
  );
}

export function Found({
  found: { score, notJudged, coverage, causes, findings, preview },
}: {
  found: NonNullable<AdminReportResponse['data']['found']>;
}) {
  return (
    <>
      <div className="flex flex-wrap items-center gap-4">
        {score && <ScoreRing score={score.value} size={64} />}
        {notJudged && <NotJudged size={64} />}
        <p className="min-w-0 flex-1 basis-60">
          {notJudged && `${NOT_JUDGED_TEXTS[notJudged]} `}
          {coverage} {count(findings, 'finding')} of {count(causes.length, 'issue')}
          {preview && `; the preview shows ${preview.shown} of ${preview.total} findings`}.
        </p>
      </div>
      <ul aria-label="Issues" className="divide-y divide-line">
        {causes.map(({ checkId, title, category, impact, findings: places, pages }) => (
          <li key={checkId} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
            <span className="text-strong">{title}</span>
            <span className="text-sm text-muted tabular-nums">
              {categoryName(category)} · {titleCase(impact)} · {count(places, 'finding')} on {count(pages, 'page')}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Each opens through `show`. */
export function Files({
  host,
  files,
  show,
}: {
  host: string;
  files: readonly string[];
  show: (name: string) => ReactNode;
}) {
  const [name, setName] = useState<string | null>(null);
  return (
    <div className="flex flex-wrap gap-2">
      {files.map((file) => (
        <Button key={file} onClick={() => setName(file)}>
          {file}
        </Button>
      ))}
      {name && (
        <Dialog wide title={`${name} of ${hostWithoutWww(host)}`} onClose={() => setName(null)}>
          {show(name)}
        </Dialog>
      )}
    </div>
  );
}

function File({ jobId, name }: { jobId: string; name: string }) {
  return <FileText name={name} query={useGetAnyFileQuery({ jobId, name })} />;
}

/** Data null: the file does not exist. */
export function FileText({
  name,
  query,
}: {
  name: string;
  query: ComponentProps<typeof QueryState<string | null>>['query'];
}) {
  return (
    <QueryState query={query} title="Failed to load the file" text="The file could not be loaded.">
      {(text) => (text === null ? <p className="text-muted">It was not there.</p> : <Shown name={name} text={text} />)}
    </QueryState>
  );
}

function Shown({ name, text }: { name: string; text: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it may scroll.
      tabIndex={0}
      aria-label={name}
      className="min-h-0 flex-1 overflow-auto rounded-control border border-line bg-card p-4"
    >
      {name.endsWith('.md') ? (
        <Suspense fallback={<Loading />}>
          <Markdown text={text} />
        </Suspense>
      ) : (
        <pre className="font-mono text-sm whitespace-pre">{text}</pre>
      )}
    </section>
  );
}
