import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { Download, FileText } from 'lucide-react';
import { useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { textOf } from '../../../api/failure.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { FieldError } from '../../../ui/form/Field.tsx';
import { reportSearch } from '../../../ui/paths.ts';
import { saveFile } from '../../../ui/saveFile.ts';
import { hostWithoutWww } from '../../../ui/text/wording.ts';
import { jobsApi } from '../jobsApi.ts';
import { Nothing } from './Nothing.tsx';

const FILES: readonly (readonly [name: string, title: string, about: string])[] = [
  ['executive-summary.md', 'Executive summary', 'One page for decision makers.'],
  ['seo-audit-report.md', 'Audit report', 'Every issue with its pages and why it matters.'],
  ['action-items.md', 'Action items', 'What to do, in order of priority.'],
  ['findings.json', 'Findings (JSON)', 'All findings, for programs.'],
  ['pages.csv', 'Pages (CSV)', 'Every fetched page, for a spreadsheet.'],
];

/** The audit's files, to read or download. */
export function FilesTab({ job, waiting }: { job: JobView; waiting: string }) {
  const known = FILES.filter(([name]) => job.files.includes(name));
  if (known.length === 0) return <Nothing text={waiting} />;
  return (
    <ul className="divide-y divide-line panel">
      {known.map(([name, title, about]) => (
        <FileRow key={name} job={job} name={name} title={title} about={about} />
      ))}
    </ul>
  );
}

function FileRow({ job, name, title, about }: { job: JobView; name: string; title: string; about: string }) {
  const [search] = useSearchParams();
  const { download, busy, problem } = useDownload(job, name);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium text-strong">{title}</p>
        <p className="text-sm text-muted">{about}</p>
        {problem && <FieldError>{problem}</FieldError>}
      </div>
      <div className="-mx-2 flex">
        <Link to={{ search: `?${reportSearch(search, job.id, name)}` }} className={buttonClasses('quiet')}>
          <FileText aria-hidden="true" size={14} />
          Open<span className="sr-only"> {title}</span>
        </Link>
        <Button variant="quiet" busy={busy} onClick={() => void download()}>
          <Download aria-hidden="true" size={14} />
          Download<span className="sr-only"> {title}</span>
        </Button>
      </div>
    </li>
  );
}

function useDownload(job: JobView, name: string) {
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const download = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const { data, error } = await dispatch(
      jobsApi.endpoints.getFile.initiate({ jobId: job.id, name }, { forceRefetch: true, subscribe: false }),
    );
    setBusy(false);
    if (typeof data === 'string') saveFile(`${hostWithoutWww(job.host)}-${name}`, data);
    else setProblem(textOf(error, 'The file could not be loaded.'));
  };
  return { download, busy, problem };
}
