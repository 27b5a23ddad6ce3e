import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import type { NoRecord } from '../../../../src/http/contract/links.ts';
import { INDEXABILITY_TEXTS, ROLE_TEXTS } from '../../../../src/model/pages.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { jobPath } from '../../../ui/paths.ts';
import { count, grouped } from '../../../ui/text/wording.ts';
import { AuditPart } from '../page/AuditPart.tsx';
import { addressText } from '../page/addressText.ts';
import { OutsideLink } from '../page/OutsideLink.tsx';
import { type OnePage, rowsOf, useGetPageQuery } from '../page/reportApi.ts';
import { RECORDED_SINCE } from '../page/tables/pageWords.ts';
import { EarlierRun } from './EarlierRun.tsx';
import { Headings } from './Headings.tsx';
import { PageFindings } from './PageFindings.tsx';
import { PageLinks } from './PageLinks.tsx';
import { Part } from './Part.tsx';
import { SearchPreview } from './SearchPreview.tsx';
import { SocialCard } from './SocialCard.tsx';
import { StructuredData } from './StructuredData.tsx';

type Row = OnePage['page'];
type PageRecord = NonNullable<OnePage['record']>;

/** Everything about one page: how it is found, what it says, what links to it, what is wrong with it. */
export function OnePageView({ job, url }: { job: JobView; url: string }) {
  const query = useGetPageQuery({ ...rowsOf(job), url });
  return <AuditPart query={query}>{(found) => <Found job={job} found={found} />}</AuditPart>;
}

function Found({ job, found: { page, record, noRecord, links } }: { job: JobView; found: OnePage }) {
  const origin = useMemo(() => (URL.canParse(page.url) ? new URL(page.url).origin : null), [page.url]);
  return (
    <div className="space-y-5">
      <Head jobId={job.id} page={page} />
      <PageFindings job={job} url={page.url} />
      {noRecord !== null && <WhyNoRecord why={noRecord} />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="space-y-4">
          <StatusPart page={page} record={record} />
          {page.indexable !== null && <SearchPreview page={page} />}
          {record && <SocialCard tags={record.social} />}
          {record && <Headings record={record} />}
        </div>
        <div className="space-y-4">
          <FactsPart page={page} record={record} />
          {record && <StructuredData record={record} />}
          <EarlierRun job={job} page={page} />
        </div>
      </div>
      {links && <PageLinks job={job} page={page} links={links} origin={origin} />}
      {record && <Markdown text={record.markdown} />}
      {record && <Headers record={record} />}
      {record && record.images.length > 0 && <Images record={record} origin={origin} />}
    </div>
  );
}

interface HeadProps {
  jobId: string;
  page: Row;
}

/** Each fact leads to the pages that share it, the number of links to the links. */
function Head({
  jobId,
  page: { url, title, status, problem, role, indexability, clicksFromStart, inlinks },
}: HeadProps) {
  const pages = (text: string, filter: Readonly<Record<string, string>>) =>
    [text, { tab: 'pages', ...filter }] as const;
  const facts = [
    role === null ? null : pages(ROLE_TEXTS[role], { role }),
    indexability === null ? null : pages(INDEXABILITY_TEXTS[indexability], { indexability }),
    clicksFromStart === null ? pages('no link leads here', { depth: 'none' }) : null,
    clicksFromStart
      ? pages(`${count(clicksFromStart, 'click')} from the home page`, { depth: String(clicksFromStart) })
      : null,
    inlinks === null
      ? null
      : ([`${count(inlinks, 'page links', 'pages link')} here`, { tab: 'links', to: url }] as const),
  ].filter((fact) => fact !== null);
  return (
    <header>
      <h1 tabIndex={-1} className="text-xl wrap-anywhere sm:text-2xl">
        {title || addressText(url, 80)}
      </h1>
      <p className="mt-1">
        <OutsideLink url={url} length={120} />
      </p>
      <p className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
        <StatusText status={status} problem={problem} />
        {facts.map(([text, query]) => (
          <Link
            key={text}
            to={jobPath(jobId, query)}
            className="underline-offset-2 hover:text-strong hover:underline pointer-coarse:touch-line"
          >
            {text}
          </Link>
        ))}
      </p>
    </header>
  );
}

function StatusText({ status, problem = '' }: { status: number | null; problem?: string }) {
  const tone = status === null || status >= 400 ? 'text-bad' : status >= 300 ? 'text-attention' : 'text-good';
  return (
    <span className={`font-medium tabular-nums ${tone}`}>
      {status ?? (problem.replaceAll('_', ' ') || 'no answer')}
    </span>
  );
}

const NO_RECORD: Readonly<Record<NoRecord, string>> = {
  earlier_version: `Details of pages are recorded since version ${RECORDED_SINCE}. Run this audit again to see headings, links, structured data, and more.`,
  removed:
    'Details of this page were removed because newer audits of this site have theirs. Its row, findings, and score stay.',
  too_large: 'This audit is very large: details of its first pages were kept, and this page is not among them.',
  preview: 'This preview shows details of the pages that its tasks are about. Unlock the audit to see all of them.',
};

function WhyNoRecord({ why }: { why: NoRecord }) {
  return (
    <Notice tone="info">
      <p>{NO_RECORD[why]}</p>
    </Notice>
  );
}

function StatusPart({ page, record }: { page: Row; record: PageRecord | null }) {
  const chain = record?.chain ?? [{ url: page.finalUrl, status: page.status }];
  return (
    <Part title="Status and indexing">
      <ol className="space-y-1">
        {chain.map(({ url, status }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one request, in order; a loop has an address twice.
          <li key={n} className="flex gap-3">
            <span className="w-20 shrink-0 text-sm">
              <StatusText status={status} problem={page.problem} />
            </span>
            <OutsideLink url={url} length={70} />
          </li>
        ))}
      </ol>
      {page.indexability !== null && (
        <p className="mt-3">
          <span className="text-sm text-muted">Search engines: </span>
          {INDEXABILITY_TEXTS[page.indexability]}
        </p>
      )}
      {record && <Directives record={record} />}
    </Part>
  );
}

function Directives({ record: { directives, canonicals, alternates, leftOut } }: { record: PageRecord }) {
  const rows = [
    ...directives.map(({ place, bot, value }) => ({
      name: place.startsWith('header') ? 'X-Robots-Tag' : 'Robots meta',
      value: bot === null ? value : `${bot}: ${value}`,
    })),
    ...canonicals.map(({ place, url }) => ({
      name: place.startsWith('header') ? 'Canonical (header)' : 'Canonical',
      value: url,
    })),
    ...alternates.slice(0, 10).map(({ hreflang, url }) => ({ name: `Language ${hreflang}`, value: url })),
  ];
  const more = Math.max(0, alternates.length - 10) + (leftOut.alternates ?? 0);
  if (rows.length === 0) return <p className="mt-2 text-sm text-muted">No canonical, robots directive, or hreflang.</p>;
  return (
    <dl className="mt-2 space-y-1 text-sm">
      {rows.map(({ name, value }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page may name the same twice.
        <div key={n} className="flex gap-3">
          <dt className="w-32 shrink-0 text-muted">{name}</dt>
          <dd className="min-w-0 font-mono wrap-anywhere">{value}</dd>
        </div>
      ))}
      {more > 0 && <p className="text-muted">and {count(more, 'more language')}</p>}
    </dl>
  );
}

/** Null for what is not known. */
function FactsPart({ page, record }: { page: Row; record: PageRecord | null }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Words', page.words === null ? null : grouped(page.words)],
    ['Language', page.lang || null],
    ['Encoding', record?.charset || null],
    ['Size', `${grouped(Math.ceil(page.bytes / 1024))} KB`],
    ['First byte', `${grouped(page.firstByteMs)} ms`],
    ['Images', page.images === null ? null : imagesText(page)],
    ['Links to this site', page.outlinks === null ? null : grouped(page.outlinks)],
    ['Links to other sites', page.externalLinks === null ? null : grouped(page.externalLinks)],
    ['PageRank', page.pageRank === null ? null : `${(page.pageRank / 10_000).toFixed(2)}%`],
    ['Template', page.template],
    ['Content type', page.contentType || null],
    ['Found by', page.foundBy === 'start' ? 'the URL submitted' : page.foundBy],
  ];
  return (
    <Part title="Facts">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name} className="contents">
                <dt className="text-sm text-muted">{name}</dt>
                <dd className="wrap-anywhere tabular-nums">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Part>
  );
}

const imagesText = ({ images, imagesWithoutAlt }: Row): string =>
  (imagesWithoutAlt ?? 0) > 0
    ? `${grouped(images ?? 0)}, ${grouped(imagesWithoutAlt ?? 0)} without alt text`
    : grouped(images ?? 0);

function Markdown({ text }: { text: string }) {
  return (
    <Part title="As an assistant reads it" folded>
      {text === '' ? (
        <p className="text-muted">The page has no main content.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <pre tabIndex={0} className="max-h-128 overflow-auto font-mono text-sm whitespace-pre-wrap wrap-anywhere">
          {text}
        </pre>
      )}
    </Part>
  );
}

function Headers({ record: { headers, leftOut } }: { record: PageRecord }) {
  return (
    <Part title={`Response headers (${headers.length})`} folded>
      <dl className="space-y-1 text-sm">
        {headers.map(({ name, value }) => (
          <div key={name} className="gap-3 sm:flex">
            <dt className="w-56 shrink-0 font-mono text-muted">{name}</dt>
            <dd className="min-w-0 font-mono wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-sm text-muted">
        Cookies are not recorded, and what looks like a secret is hidden.
        {leftOut.headers ? ` ${count(leftOut.headers, 'header')} too long to keep.` : ''}
      </p>
    </Part>
  );
}

function Images({ record: { images, leftOut }, origin }: { record: PageRecord; origin: string | null }) {
  return (
    <Part title={`Images (${grouped(images.length + (leftOut.images ?? 0))})`} folded>
      <ul className="divide-y divide-line">
        {images.map(({ url, alt, width, height, lazy }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page may show the same image twice.
          <li key={n} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-1.5 text-sm">
            <OutsideLink url={url} length={60} origin={origin} />
            <span className={alt === null ? 'text-bad' : 'text-muted'}>
              {alt === null ? 'no alt text' : alt === '' ? 'decorative' : `“${alt}”`}
            </span>
            <span className="text-muted tabular-nums">
              {width && height ? `${width} × ${height}` : 'no width and height'}
              {lazy ? ', lazy' : ''}
            </span>
          </li>
        ))}
      </ul>
      {leftOut.images ? <p className="mt-2 text-sm text-muted">and {count(leftOut.images, 'more image')}</p> : null}
    </Part>
  );
}
