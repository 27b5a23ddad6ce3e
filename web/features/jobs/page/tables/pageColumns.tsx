import { ArrowUpRight, Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { PagesResponse, PageView } from '../../../../../src/http/contract/pages.ts';
import { INDEXABILITY_TEXTS, ROLE_TEXTS } from '../../../../../src/model/pages.ts';
import type { GridColumn, Order } from '../../../../ui/grid/gridColumn.ts';
import { jobPagePath, jobPath } from '../../../../ui/paths.ts';
import { OUTSIDE, webLink } from '../../../../ui/text/links.ts';
import { grouped } from '../../../../ui/text/wording.ts';
import { addressText } from '../addressText.ts';
import { TO_ROWS } from '../toRows.ts';
import { INDEXABILITY_NAMES } from './pageWords.ts';

export type Page = PagesResponse['data']['pages'][number];
export type PageColumn = keyof PageView;

interface Described {
  readonly name: string;
  readonly about: string;
  readonly example: string;
  readonly width: number | string;
  /** A number, sorted from the largest. */
  readonly number?: true;
}

/** Wide enough to tell pages apart, and never most of a phone. */
export const ADDRESS_WIDTH = 'min(272px, 52vw)';

export const PAGE_COLUMN_TEXTS: Readonly<Record<PageColumn, Described>> = {
  url: {
    name: 'Page',
    about: 'The URL that was requested. Opens all that is known of the page.',
    example: '/teaware/clay-teapot',
    width: ADDRESS_WIDTH,
  },
  findings: {
    name: 'Findings',
    about: 'How many findings the page has, and how many of them have a high impact.',
    example: '1 high, 5',
    width: 104,
    number: true,
  },
  status: {
    name: 'Status',
    about: 'What the server answered: 200 is a page, 301 leads elsewhere, 404 does not exist.',
    example: '200',
    width: 84,
    number: true,
  },
  indexability: {
    name: 'Indexability',
    about: 'Whether search engines may show the page, and if not, why.',
    example: 'Noindex',
    width: 176,
  },
  role: { name: 'Role', about: 'What the page is for.', example: 'Product', width: 112 },
  title: {
    name: 'Title',
    about: 'The text of its title element, which search results show.',
    example: 'Clay teapots from Yixing | Tea shop',
    width: 188,
  },
  description: {
    name: 'Description',
    about: 'Its meta description, which search results may show below the title.',
    example: 'Hand-made teapots of unglazed clay, fired at 1,150 °C',
    width: 260,
  },
  inlinks: {
    name: 'Inlinks',
    about: 'How many other pages of the site link to it.',
    example: '42',
    width: 84,
    number: true,
  },
  clicksFromStart: {
    name: 'Depth',
    about: 'The fewest clicks that lead to it from the home page.',
    example: '2',
    width: 80,
    number: true,
  },
  words: {
    name: 'Words',
    about: 'How many words its own text has, without menus and footers.',
    example: '640',
    width: 80,
    number: true,
  },
  titleLength: {
    name: 'Title length',
    about: 'Characters of its title. Search results cut titles at about 60.',
    example: '54',
    width: 108,
    number: true,
  },
  descriptionLength: {
    name: 'Description length',
    about: 'Characters of its meta description. Search results cut it at about 155.',
    example: '148',
    width: 144,
    number: true,
  },
  h1: { name: 'H1', about: 'Its first main heading.', example: 'Clay teapots', width: 220 },
  h1s: { name: 'H1s', about: 'How many main headings it has. One is usual.', example: '1', width: 72, number: true },
  highImpact: {
    name: 'High impact',
    about: 'How many of its findings have a high impact.',
    example: '1',
    width: 108,
    number: true,
  },
  outlinks: {
    name: 'Outlinks',
    about: 'How many of its links lead to other URLs of the site.',
    example: '35',
    width: 92,
    number: true,
  },
  externalLinks: {
    name: 'External links',
    about: 'How many of its links lead to other sites.',
    example: '3',
    width: 120,
    number: true,
  },
  links: { name: 'All links', about: 'How many links it has.', example: '38', width: 88, number: true },
  pageRank: {
    name: 'PageRank',
    about: 'Its share of all visits if people followed the links of the site at random.',
    example: '1.25%',
    width: 104,
    number: true,
  },
  template: {
    name: 'Template',
    about: 'The pattern of its URL, which pages of a kind share.',
    example: '/teaware/*',
    width: 160,
  },
  canonical: {
    name: 'Canonical',
    about: 'The URL that it names as the one to show.',
    example: 'https://example.com/teaware/clay-teapot',
    width: 240,
  },
  indexable: {
    name: 'Indexable',
    about: 'Whether search engines may show it; empty if it is not HTML.',
    example: 'Yes',
    width: 100,
  },
  redirects: {
    name: 'Redirects',
    about: 'How many redirects were followed.',
    example: '1',
    width: 100,
    number: true,
  },
  finalUrl: {
    name: 'Final URL',
    about: 'The URL that answered after all redirects.',
    example: 'https://example.com/teapots',
    width: 240,
  },
  problem: {
    name: 'Problem',
    about: 'Why there was no answer, or why it was not requested.',
    example: 'timeout',
    width: 160,
  },
  foundBy: {
    name: 'Found by',
    about: 'What led to it first: the start, a link, or the sitemap.',
    example: 'sitemap',
    width: 100,
  },
  contentType: {
    name: 'Content type',
    about: 'The type that the server declared.',
    example: 'text/html; charset=utf-8',
    width: 170,
  },
  lang: { name: 'Language', about: 'The language that it declares.', example: 'en-US', width: 100 },
  images: { name: 'Images', about: 'How many images it has.', example: '12', width: 84, number: true },
  imagesWithoutAlt: {
    name: 'Images without alt',
    about: 'How many of its images have no alternative text, without decorative ones.',
    example: '2',
    width: 148,
    number: true,
  },
  dataTypes: {
    name: 'Structured data',
    about: 'The types of its structured data.',
    example: 'Product, BreadcrumbList',
    width: 200,
  },
  bytes: { name: 'Size', about: 'The size of its HTML, uncompressed.', example: '48 KB', width: 88, number: true },
  firstByteMs: {
    name: 'First byte',
    about: 'Milliseconds until its first byte arrived.',
    example: '180 ms',
    width: 100,
    number: true,
  },
};

export const ALL_COLUMNS = Object.keys(PAGE_COLUMN_TEXTS) as readonly PageColumn[];

/** Without the address, which always comes first. */
export const USUAL_COLUMNS: readonly PageColumn[] = [
  'findings',
  'status',
  'indexability',
  'role',
  'title',
  'inlinks',
  'clicksFromStart',
];

export const firstOrderOf = (column: PageColumn): Order => (PAGE_COLUMN_TEXTS[column].number ? 'desc' : 'asc');

/** For these columns in this order. `origin`: omitted from addresses. */
export const gridColumnsOf = (
  jobId: string,
  columns: readonly PageColumn[],
  origin: string | null,
): readonly GridColumn<Page>[] =>
  columns.map((id) => {
    const { number = false, ...column } = PAGE_COLUMN_TEXTS[id];
    return { ...column, id, end: number, first: firstOrderOf(id), cell: (page) => cellOf(jobId, page, id, origin) };
  });

function cellOf(jobId: string, page: Page, column: PageColumn, origin: string | null): ReactNode {
  const { url = '' } = page;
  const number = (value: number | null | undefined, query: Readonly<Record<string, string>>, of: string): ReactNode =>
    value ? (
      <Link
        {...TO_ROWS}
        to={jobPath(jobId, query)}
        aria-label={`${grouped(value)} ${of}`}
        className="link pointer-coarse:touch-line"
      >
        {grouped(value)}
      </Link>
    ) : (
      textOf(value)
    );
  switch (column) {
    case 'url':
      return <PageAddress jobId={jobId} url={url} origin={origin} />;
    case 'status':
      return statusCell(page);
    case 'indexability':
      return page.indexability ? (
        <Yes is={page.indexability === 'indexable'} title={INDEXABILITY_TEXTS[page.indexability]}>
          {INDEXABILITY_NAMES[page.indexability]}
        </Yes>
      ) : (
        <None />
      );
    case 'indexable':
      return typeof page.indexable === 'boolean' ? (
        <Yes is={page.indexable}>{page.indexable ? 'Yes' : 'No'}</Yes>
      ) : (
        <None />
      );
    case 'role':
      return textOf(page.role && ROLE_TEXTS[page.role]);
    case 'findings': {
      const { findings = 0, highImpact = 0 } = page;
      return (
        <>
          {highImpact > 0 && <span className="mr-2 text-xs text-bad">{grouped(highImpact)} high</span>}
          {number(findings, { tab: 'findings', page: url }, `${findings === 1 ? 'finding' : 'findings'} on ${url}`)}
        </>
      );
    }
    case 'highImpact':
      return number(page.highImpact, { tab: 'findings', page: url, impact: 'high' }, `of high impact on ${url}`);
    case 'inlinks':
      return number(
        page.inlinks,
        { tab: 'links', to: url },
        `${page.inlinks === 1 ? 'page that links' : 'pages that link'} to ${url}`,
      );
    case 'links':
      return number(page.links, { tab: 'links', from: url }, `links on ${url}`);
    case 'outlinks':
      return number(page.outlinks, { tab: 'links', from: url, external: 'no' }, `links within the site on ${url}`);
    case 'externalLinks':
      return number(page.externalLinks, { tab: 'links', from: url, external: 'yes' }, `links to other sites on ${url}`);
    case 'pageRank':
      return typeof page.pageRank === 'number' ? `${(page.pageRank / 10_000).toFixed(2)}%` : <None />;
    case 'bytes':
      return `${grouped(Math.ceil((page.bytes ?? 0) / 1024))} KB`;
    case 'firstByteMs':
      return `${grouped(page.firstByteMs ?? 0)} ms`;
    case 'canonical':
    case 'finalUrl':
      return page[column] ? (
        <Whole text={addressText(page[column], 1000, origin)} title={page[column]} mono />
      ) : (
        <None />
      );
    case 'template':
      return page.template ? <Whole text={page.template} mono /> : <None />;
    case 'dataTypes':
      return textOf(page.dataTypes?.join(', '));
    default:
      return textOf(page[column]);
  }
}

function textOf(value: string | number | null | undefined): ReactNode {
  if (typeof value === 'number') return grouped(value);
  return value ? <Whole text={value} /> : <None />;
}

/** Cut at the end of its cell, and whole on hover. */
function Whole({ text, title = text, mono = false }: { text: string; title?: string; mono?: boolean }) {
  return (
    <span title={title} className={mono ? 'font-mono' : undefined}>
      {text}
    </span>
  );
}

function None() {
  return (
    <span className="text-muted">
      <span aria-hidden="true">–</span>
      <span className="sr-only">none</span>
    </span>
  );
}

function Yes({ is, title, children }: { is: boolean; title?: string; children: ReactNode }) {
  const Icon = is ? Check : Minus;
  return (
    <span title={title} className={is ? 'text-good' : 'text-attention'}>
      <Icon aria-hidden="true" size={14} className="mr-1.5 inline align-[-2px]" />
      {children}
    </span>
  );
}

function statusCell({ status, problem }: Page): ReactNode {
  if (typeof status !== 'number')
    return (
      <span title={problem || undefined} className="text-bad">
        {problem || 'no answer'}
      </span>
    );
  return <span className={status >= 400 ? 'font-medium text-bad' : 'text-muted'}>{status}</span>;
}

interface PageAddressProps {
  jobId: string;
  url: string;
  origin: string | null;
}

/** A page of the audit, with a small link to the page itself. */
export function PageAddress({ jobId, url, origin }: PageAddressProps) {
  const { search } = useLocation();
  return (
    <span className="flex items-center gap-1">
      <Link
        to={jobPagePath(jobId, url)}
        state={{ list: search }}
        title={url}
        className="min-w-0 flex-1 truncate font-mono text-accent underline-offset-2 hover:underline pointer-coarse:leading-11"
      >
        {addressText(url, 1000, origin)}
      </Link>
      <Outside url={url} />
    </span>
  );
}

/** To the site itself. */
export function Outside({ url }: { url: string }) {
  const href = webLink(url);
  if (!href) return null;
  return (
    <a
      href={href}
      {...OUTSIDE}
      aria-label={`Open ${url} on the site`}
      className="-mr-2 grid size-8 shrink-0 place-items-center rounded-control text-muted hover:bg-inset hover:text-strong pointer-coarse:size-11"
    >
      <ArrowUpRight aria-hidden="true" size={14} />
    </a>
  );
}
