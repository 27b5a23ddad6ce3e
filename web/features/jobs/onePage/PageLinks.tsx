import { Link } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import type { LinkView } from '../../../../src/http/contract/links.ts';
import { jobPagePath, jobPath } from '../../../ui/paths.ts';
import { grouped, titleCase } from '../../../ui/text/wording.ts';
import { addressText } from '../page/addressText.ts';
import { OutsideLink } from '../page/OutsideLink.tsx';
import type { OnePage } from '../page/reportApi.ts';
import { Part } from './Part.tsx';

interface PageLinksProps {
  job: JobView;
  page: OnePage['page'];
  links: NonNullable<OnePage['links']>;
  origin: string | null;
}

/** Links from other pages, and those on the page. */
export function PageLinks({ job, page, links: { inbound, outbound }, origin }: PageLinksProps) {
  return (
    <>
      <Part title={`Links to this page (${grouped(inbound.total)})`} folded>
        <LinkRows job={job} links={inbound.links} side="from" origin={origin} />
        <More job={job} total={inbound.total} shown={inbound.links.length} query={{ to: page.url }} />
      </Part>
      <Part title={`Links on this page (${grouped(outbound.total)})`} folded>
        <LinkRows job={job} links={outbound.links} side="to" origin={origin} />
        <More job={job} total={outbound.total} shown={outbound.links.length} query={{ from: page.url }} />
      </Part>
    </>
  );
}

interface LinkRowsProps {
  job: JobView;
  links: readonly LinkView[];
  /** Which of the two addresses is shown. */
  side: 'from' | 'to';
  origin: string | null;
}

function LinkRows({ job, links, side, origin }: LinkRowsProps) {
  if (links.length === 0) return <p className="text-muted">None.</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
    <div role="group" aria-label="Links" tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead className="text-muted">
          <tr>
            <th className="py-1.5 pr-4 font-normal">{side === 'from' ? 'From' : 'To'}</th>
            <th className="py-1.5 pr-4 font-normal">Anchor</th>
            <th className="py-1.5 pr-4 font-normal">Position</th>
            <th className="py-1.5 pr-4 font-normal">Rel</th>
            {side === 'to' && <th className="py-1.5 font-normal">Status</th>}
          </tr>
        </thead>
        <tbody>
          {links.map((link, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the links in order; several may be the same.
            <tr key={n} className="border-t border-line align-top">
              <td className="py-1.5 pr-4">
                <Address job={job} link={link} side={side} origin={origin} />
              </td>
              <td className="max-w-72 py-1.5 pr-4 wrap-anywhere">
                {link.anchor || <span className="text-muted">no text</span>}
              </td>
              <td className="py-1.5 pr-4 whitespace-nowrap text-muted">
                {titleCase(link.position)}
                {link.template && ', shared'}
              </td>
              <td className="py-1.5 pr-4 text-muted">{relText(link)}</td>
              {side === 'to' && (
                <td className={`py-1.5 tabular-nums ${(link.status ?? 0) >= 400 ? 'text-bad' : 'text-muted'}`}>
                  {link.status ?? 'not checked'}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const relText = ({ nofollow, sponsored, ugc }: LinkView): string =>
  [nofollow && 'nofollow', sponsored && 'sponsored', ugc && 'ugc'].filter(Boolean).join(' ');

/** Leads to the page's own view where the audit has the page. */
function Address({ job, link, side, origin }: Pick<LinkRowsProps, 'job' | 'side' | 'origin'> & { link: LinkView }) {
  const page = side === 'from' ? link.from : link.page;
  if (page === null) return <OutsideLink url={link.to} length={60} origin={origin} />;
  return (
    <Link to={jobPagePath(job.id, page)} title={page} className="font-mono link wrap-anywhere">
      {addressText(side === 'from' ? link.from : link.to, 60, origin)}
    </Link>
  );
}

interface MoreProps {
  job: JobView;
  total: number;
  shown: number;
  query: Readonly<Record<string, string>>;
}

function More({ job, total, shown, query }: MoreProps) {
  if (total <= shown) return null;
  return (
    <p className="mt-2">
      <Link to={jobPath(job.id, { tab: 'links', ...query })} className="link">
        Show all {grouped(total)}
      </Link>
    </p>
  );
}
