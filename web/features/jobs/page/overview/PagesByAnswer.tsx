import { clsx } from 'clsx';
import { Link } from 'react-router-dom';
import type { PagesResponse } from '../../../../../src/http/contract/pages.ts';
import { INDEXABILITIES, INDEXABILITY_TEXTS, type Indexability } from '../../../../../src/model/pages.ts';
import { jobPath } from '../../../../ui/paths.ts';
import { count } from '../../../../ui/text/wording.ts';
import { TO_ROWS } from '../toRows.ts';
import { compact } from './compact.ts';

type Facets = PagesResponse['data']['facets'];

/** Of the columns of pages that audits of earlier versions do not have. */
const RECORDED_SINCE = '0.1.0';
/** Values that fit on a line; the rest are filters of the list. */
const SHOWN = { status: 3, indexability: 2 } as const;

const STATUSES: Readonly<Record<string, { readonly label: string; readonly tone: string }>> = {
  '2xx': { label: '2xx', tone: 'text-good' },
  '3xx': { label: '3xx', tone: 'text-info' },
  '4xx': { label: '4xx', tone: 'text-bad' },
  '5xx': { label: '5xx', tone: 'text-caution' },
  none: { label: 'No answer', tone: 'text-muted' },
};

/** Shorter than `INDEXABILITY_TEXTS`, which the pointer shows. */
const INDEXABILITY: Readonly<Record<Indexability, { readonly label: string; readonly tone: string }>> = {
  indexable: { label: 'Indexable', tone: 'text-good' },
  noindex: { label: 'Noindex', tone: 'text-bad' },
  robots: { label: 'Robots.txt', tone: 'text-caution' },
  canonical: { label: 'Canonical', tone: 'text-attention' },
  redirect: { label: 'Redirect', tone: 'text-info' },
  error: { label: 'Error', tone: 'text-attention' },
  not_html: { label: 'Not HTML', tone: 'text-muted' },
};

interface PagesByAnswerProps {
  jobId: string;
  facets: Facets;
  total: number;
  search: URLSearchParams;
}

/** The pages by what the server answered, and by whether search engines may show them. */
export function PagesByAnswer({ jobId, facets, total, search }: PagesByAnswerProps) {
  const of = { jobId, total, search };
  return (
    <section className="min-w-0">
      <h2 className="truncate text-xs font-normal text-muted">{count(total, 'page')}: status, indexability</h2>
      <Parts {...of} facet="status" label="Pages by status" order={Object.keys(STATUSES)} counts={facets.status} />
      {facets.indexability.length === 0 && total > 0 ? (
        <p className="mt-1.5 text-xs text-muted">
          Indexability: recorded since version {RECORDED_SINCE}. Run the audit again to see it.
        </p>
      ) : (
        <Parts
          {...of}
          facet="indexability"
          label="Pages by indexability"
          order={INDEXABILITIES}
          counts={facets.indexability}
        />
      )}
    </section>
  );
}

const WORDS: Readonly<Record<string, { readonly label: string; readonly tone: string }>> = {
  ...STATUSES,
  ...INDEXABILITY,
};

interface PartsProps extends Omit<PagesByAnswerProps, 'facets'> {
  facet: 'status' | 'indexability';
  label: string;
  order: readonly string[];
  counts: Facets['status'];
}

function Parts({ jobId, total, search, facet, label, order, counts }: PartsProps) {
  const parts = order.flatMap((value) => {
    const { pages = 0 } = counts.find((each) => each.value === value) ?? {};
    const { label, tone } = WORDS[value] ?? { label: value, tone: 'text-muted' };
    return pages > 0 ? [{ value, pages, label, tone }] : [];
  });
  const shown = parts.slice(0, SHOWN[facet]);
  return (
    <div className="mt-1.5">
      <div aria-hidden="true" className="flex h-1.5 gap-px overflow-hidden rounded-full">
        {parts.map(({ value, pages, tone }) => (
          <span
            key={value}
            className={clsx('min-w-1 bg-current', tone)}
            style={{ width: `${(pages / total) * 100}%` }}
          />
        ))}
      </div>
      <ul aria-label={label} className="-mx-1 flex flex-wrap">
        {shown.map(({ value, pages, label, tone }) => {
          const isShown = search.get('tab') === 'pages' && search.get(facet) === value;
          return (
            <li key={value}>
              <Link
                {...TO_ROWS}
                to={jobPath(jobId, { tab: 'pages', [facet]: value })}
                title={`${INDEXABILITY_TEXTS[value as Indexability] ?? label}: ${count(pages, 'page')}`}
                aria-current={isShown ? 'true' : undefined}
                className={clsx(
                  'flex min-h-8 items-center gap-1 rounded-control px-[3px] text-xs pointer-coarse:min-h-11 pointer-coarse:px-2',
                  isShown ? 'bg-accent-soft' : 'hover:bg-inset',
                )}
              >
                <span aria-hidden="true" className={clsx('size-2 shrink-0 rounded-full bg-current', tone)} />
                {label}
                <span className="sr-only">: {count(pages, 'page')}</span>
                <span aria-hidden="true" className="font-medium text-strong tabular-nums">
                  {compact(pages)}
                </span>
              </Link>
            </li>
          );
        })}
        {shown.length < parts.length && (
          <li>
            <Link
              {...TO_ROWS}
              to={jobPath(jobId, { tab: 'pages' })}
              className="flex min-h-8 min-w-6 items-center justify-center rounded-control px-[3px] text-xs text-muted hover:bg-inset pointer-coarse:min-h-11 pointer-coarse:px-2"
            >
              +{parts.length - shown.length} <span className="sr-only">more: {label}</span>
            </Link>
          </li>
        )}
      </ul>
    </div>
  );
}
