import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { PagePlace } from '../../../../src/http/contract/pages.ts';
import type { Structure } from '../../../../src/http/contract/structure.ts';
import { jobPagePath, jobPath } from '../../../ui/paths.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { count, grouped } from '../../../ui/text/wording.ts';
import { addressText } from '../page/addressText.ts';
import { RECORDED_SINCE } from '../page/tables/pageWords.ts';
import { TO_ROWS } from '../page/toRows.ts';

const LISTS: readonly {
  readonly place: PagePlace;
  readonly title: string;
  readonly about: string;
  readonly none: string;
}[] = [
  {
    place: 'orphan',
    title: 'Orphans',
    about: 'No other page links to them.',
    none: 'Every page has a link that leads to it.',
  },
  {
    place: 'dead_end',
    title: 'Dead ends',
    about: 'No link on them leads to another page of the site.',
    none: 'Every page leads on to others.',
  },
  {
    place: 'deep',
    title: 'Deep pages',
    about: 'More than three clicks from the home page.',
    none: 'Every page is within three clicks of the home page.',
  },
];

interface PlaceListsProps {
  jobId: string;
  places: Structure['places'];
  /** The audit is of a version that counted no links. */
  isEarlier: boolean;
  origin: string | null;
}

/** Pages that are hard to reach, or lead nowhere. */
export function PlaceLists({ jobId, places, isEarlier, origin }: PlaceListsProps) {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      {LISTS.map(({ place, title, about, none }) => {
        const { total, pages } = places[place];
        const isUnknown = isEarlier && place !== 'deep';
        return (
          <PlaceList key={place} title={title} number={isUnknown ? null : total} about={about}>
            {isUnknown && <p className="text-muted">Recorded since version {RECORDED_SINCE}.</p>}
            {!isUnknown && total === 0 && <p className="text-muted">{none}</p>}
            <ul>
              {pages.map(({ url, title: name }) => (
                <li key={url}>
                  <Link
                    to={jobPagePath(jobId, url)}
                    title={name ? `${name}: ${url}` : url}
                    className="block truncate py-1.5 font-mono text-sm text-accent underline-offset-2 hover:underline pointer-coarse:leading-8"
                  >
                    {addressText(url, 1000, origin)}
                  </Link>
                </li>
              ))}
            </ul>
            {total > 0 && (
              <Link
                {...TO_ROWS}
                to={jobPath(jobId, { tab: 'pages', place })}
                aria-label={`Show all: ${title.toLowerCase()}`}
                className="link mt-1 inline-flex min-h-8 items-center text-sm pointer-coarse:min-h-11"
              >
                Show all {total > pages.length && grouped(total)}
              </Link>
            )}
          </PlaceList>
        );
      })}
    </div>
  );
}

interface PlaceListProps {
  title: string;
  /** Null: unknown. */
  number: number | null;
  about: string;
  children: ReactNode;
}

function PlaceList({ title, number, about, children }: PlaceListProps) {
  return (
    <section aria-label={title} className="panel min-w-0 px-4 py-3">
      <h2 className="flex items-baseline gap-2 text-base">
        {title}
        {number !== null && (
          <span className="text-sm font-normal text-muted tabular-nums">{count(number, 'page')}</span>
        )}
      </h2>
      <p className="mb-1 text-xs text-muted">{about}</p>
      {children}
    </section>
  );
}

/** In the shape of the whole structure. */
export function StructureSkeleton() {
  return (
    <div role="status" className="space-y-4">
      <span className="sr-only">Loading the structure</span>
      <Skeleton className="h-9 w-full sm:max-w-md" />
      <Skeleton className="h-120 w-full" />
      <div className="grid gap-4 md:grid-cols-3">
        {LISTS.map(({ place }) => (
          <Skeleton key={place} className="h-40 w-full" />
        ))}
      </div>
    </div>
  );
}
