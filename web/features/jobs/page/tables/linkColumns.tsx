import { Link } from 'react-router-dom';
import type { LinkSort, LinkView } from '../../../../../src/http/contract/links.ts';
import type { LinkPosition } from '../../../../../src/model/findings.ts';
import type { GridColumn, Order } from '../../../../ui/grid/gridColumn.ts';
import { jobPagePath } from '../../../../ui/paths.ts';
import { addressText } from '../addressText.ts';
import { ADDRESS_WIDTH, Outside, PageAddress } from './pageColumns.tsx';

export const POSITION_NAMES: Readonly<Record<LinkPosition, string>> = {
  navigation: 'Navigation',
  header: 'Header',
  content: 'Content',
  footer: 'Footer',
};
export const EXTERNAL_NAMES = { no: 'Within the site', yes: 'To other sites' } as const;
export const NOFOLLOW_NAMES = { yes: 'Nofollow', no: 'Followed' } as const;

type LinkColumn = GridColumn<LinkView> & { readonly id: LinkSort | 'rel' };

/** The order of the first click. */
export const firstOrderOf = (sort: LinkSort): Order => (sort === 'status' ? 'desc' : 'asc');

export const linkColumnsOf = (jobId: string, origin: string | null): readonly LinkColumn[] => [
  {
    id: 'from',
    name: 'From',
    about: 'The page on which the link stands.',
    example: '/teaware',
    width: ADDRESS_WIDTH,
    first: firstOrderOf('from'),
    cell: ({ from }) => <PageAddress jobId={jobId} url={from} origin={origin} />,
  },
  {
    id: 'to',
    name: 'To',
    about: 'The URL as linked, before redirects.',
    example: '/teaware/clay-teapot',
    width: 290,
    first: firstOrderOf('to'),
    cell: ({ to, page }) => <Target jobId={jobId} to={to} page={page} origin={origin} />,
  },
  {
    id: 'anchor',
    name: 'Anchor',
    about: 'The text of the link, or the alternative text of its image.',
    example: 'Clay teapots',
    width: 216,
    first: firstOrderOf('anchor'),
    cell: ({ anchor }) =>
      anchor ? <span title={anchor}>{anchor}</span> : <span className="text-muted">without text</span>,
  },
  {
    id: 'position',
    name: 'Position',
    about: 'Where on the page it stands.',
    example: 'Navigation',
    width: 108,
    first: firstOrderOf('position'),
    cell: ({ position }) => POSITION_NAMES[position],
  },
  {
    id: 'rel',
    name: 'Rel',
    about: 'What it tells search engines: nofollow, sponsored, or ugc.',
    example: 'nofollow',
    width: 118,
    cell: ({ nofollow, sponsored, ugc }) => {
      const rel = [nofollow && 'nofollow', sponsored && 'sponsored', ugc && 'ugc'].filter(Boolean).join(', ');
      return rel ? <span title={rel}>{rel}</span> : <span className="text-muted">followed</span>;
    },
  },
  {
    id: 'status',
    name: 'Status',
    about: 'What the linked URL answered, if it was requested.',
    example: '404',
    width: 96,
    end: true,
    first: firstOrderOf('status'),
    cell: ({ status }) =>
      status === null ? (
        <span className="text-muted">not known</span>
      ) : (
        <span className={status >= 400 ? 'font-medium text-bad' : 'text-muted'}>{status}</span>
      ),
  },
];

/** Leads to the audited page behind it, if there is one. */
function Target({
  jobId,
  to,
  page,
  origin,
}: {
  jobId: string;
  to: string;
  page: string | null;
  origin: string | null;
}) {
  const text = addressText(to, 1000, origin);
  return (
    <span className="flex items-center gap-1">
      {page === null ? (
        <span title={to} className="min-w-0 flex-1 truncate font-mono">
          {text}
        </span>
      ) : (
        <Link
          to={jobPagePath(jobId, page)}
          title={to}
          className="min-w-0 flex-1 truncate font-mono text-accent underline-offset-2 hover:underline pointer-coarse:leading-11"
        >
          {text}
        </Link>
      )}
      <Outside url={to} />
    </span>
  );
}
