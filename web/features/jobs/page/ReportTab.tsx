import { lazy, Suspense } from 'react';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { JobFile } from './JobFile.tsx';
import { Nothing } from './Nothing.tsx';
import { ReportContents } from './ReportContents.tsx';

const Markdown = lazy(() => import('../../../ui/text/Markdown.tsx').then((module) => ({ default: module.Markdown })));

/** `seo-audit-report` of `seo-audit-report.md`. */
const idOf = (file: string): string => file.replace('.md', '');

/** The executive summary and the report as written. */
export function ReportTab({ job, waiting }: { job: JobView; waiting: string }) {
  return (
    <div className="space-y-4">
      {job.files.includes('executive-summary.md') && (
        <Document job={job} name="executive-summary.md" label="Executive summary" waiting="" />
      )}
      <Document job={job} name="seo-audit-report.md" label="Audit report" waiting={waiting} />
    </div>
  );
}

function Document({ job, name, label, waiting }: { job: JobView; name: string; label: string; waiting: string }) {
  return (
    <JobFile job={job} name={name} waiting={<Nothing text={waiting} />}>
      {(content) => (
        <section aria-label={label} className="panel p-4 sm:p-6">
          <h2 className="sr-only">{label}</h2>
          {content.trim() === '' ? (
            <p className="text-muted">No content available</p>
          ) : (
            <div className="gap-x-10 xl:grid xl:grid-cols-[minmax(0,1fr)_15rem]">
              <Suspense fallback={<Skeleton className="h-40 w-full" />}>
                <Markdown text={content} headings={idOf(name)} />
              </Suspense>
              <ReportContents text={content} name={idOf(name)} label={label} />
            </div>
          )}
        </section>
      )}
    </JobFile>
  );
}
