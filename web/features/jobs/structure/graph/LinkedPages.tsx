import { clsx } from 'clsx';
import { Link } from 'react-router-dom';
import type { LinkedPage } from '../../../../../src/http/contract/structure.ts';
import { jobPagePath, jobPath } from '../../../../ui/paths.ts';
import { count, grouped } from '../../../../ui/text/wording.ts';
import { addressText } from '../../page/addressText.ts';
import { TO_ROWS } from '../../page/toRows.ts';
import { rankText } from '../levels.ts';

const SHOWN = 50;

interface LinkedPagesProps {
  jobId: string;
  pages: readonly LinkedPage[];
  origin: string | null;
  active: number | null;
  onActive: (place: number | null) => void;
}

/** The pages to which most others link. The one with the pointer or the focus is shown in the graph. */
export function LinkedPages({ jobId, pages, origin, active, onActive }: LinkedPagesProps) {
  const shown = [...pages.entries()].sort(([, a], [, b]) => b.inlinks - a.inlinks).slice(0, SHOWN);
  return (
    <section aria-label="Most linked pages" className="flex min-w-0 flex-col">
      <header className="flex items-baseline justify-between gap-3 px-3 pt-2">
        <h2 className="text-base">Most linked pages</h2>
        <Link
          {...TO_ROWS}
          to={jobPath(jobId, { tab: 'pages', sort: 'inlinks' })}
          aria-label="Show all pages by inlinks"
          className="link inline-flex min-h-8 items-center text-sm pointer-coarse:min-h-11"
        >
          Show all
        </Link>
      </header>
      <section
        aria-label="Table of the most linked pages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must be able to.
        tabIndex={0}
        className="max-h-[34.5rem] overflow-auto"
      >
        <table className="w-full min-w-[22rem] border-separate border-spacing-0 text-left text-sm">
          <thead className="text-xs text-muted">
            <tr>
              {['Page', 'Inlinks', 'Outlinks', 'PageRank'].map((head, at) => (
                <th
                  key={head}
                  scope="col"
                  className={clsx(
                    'sticky top-0 border-b border-line bg-card px-2 py-2 font-normal',
                    at === 0 ? 'pl-3' : 'text-right',
                    at === 3 && 'pr-3',
                  )}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([place, { url, inlinks, outlinks, pageRank }]) => (
              <tr
                key={url}
                onPointerEnter={() => onActive(place)}
                onPointerLeave={() => onActive(null)}
                onFocus={() => onActive(place)}
                onBlur={() => onActive(null)}
                className={clsx('h-10', place === active ? 'bg-accent-soft' : 'hover:bg-inset')}
              >
                <th scope="row" className="max-w-0 border-b border-line px-2 pl-3 font-normal" style={{ width: '52%' }}>
                  <Link
                    to={jobPagePath(jobId, url)}
                    title={url}
                    className="block truncate font-mono text-accent underline-offset-2 hover:underline pointer-coarse:leading-11"
                  >
                    {addressText(url, 1000, origin)}
                  </Link>
                </th>
                <td className="border-b border-line px-2 text-right tabular-nums">
                  <LinkCount
                    to={jobPath(jobId, { tab: 'links', to: url })}
                    number={inlinks}
                    name={`${count(inlinks, 'page that links', 'pages that link')} to ${url}`}
                  />
                </td>
                <td className="border-b border-line px-2 text-right tabular-nums">
                  <LinkCount
                    to={jobPath(jobId, { tab: 'links', from: url, external: 'no' })}
                    number={outlinks}
                    name={`${count(outlinks ?? 0, 'link')} within the site on ${url}`}
                  />
                </td>
                <td className="border-b border-line px-2 pr-3 text-right tabular-nums">{rankText(pageRank)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** `name`: for screen readers. */
function LinkCount({ to, number, name }: { to: string; number: number | null; name: string }) {
  if (number === null) return <span className="text-muted">–</span>;
  if (number === 0) return 0;
  return (
    <Link {...TO_ROWS} to={to} aria-label={name} className="link pointer-coarse:touch-line">
      {grouped(number)}
    </Link>
  );
}
