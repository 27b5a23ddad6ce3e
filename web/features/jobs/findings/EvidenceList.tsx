import { ExternalLink } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { Button } from '../../../ui/Button.tsx';
import { jobPagePath } from '../../../ui/paths.ts';
import { InlineText } from '../../../ui/text/InlineText.tsx';
import { OUTSIDE, webLink } from '../../../ui/text/links.ts';
import { count, grouped } from '../../../ui/text/wording.ts';
import { addressText } from '../page/addressText.ts';
import { evidenceOf, type Finding, type SharedEvidence, sharedNoun } from './evidence.ts';

/** Addresses shown of one value, or of those that share none. */
const FIRST = 10;

interface EvidenceListProps {
  job: JobView;
  findings: readonly Finding[];
  total: number;
  /** Found, but not listed. */
  omitted: number;
  /** The site's origin, omitted from addresses. */
  origin: string | null;
}

/** What several pages share once, with the pages; everything else by address. */
export function EvidenceList({ job, findings, total, omitted, origin }: EvidenceListProps) {
  const { shared, alone } = useMemo(() => evidenceOf(findings), [findings]);
  const left = total - findings.length + omitted;
  return (
    <section>
      <h4 className="text-base">
        Evidence <span className="font-normal text-muted tabular-nums">{grouped(total + omitted)}</span>
      </h4>
      <div className="mt-1 space-y-4">
        {shared.map((group) => (
          <Shared key={group.first.id} group={group} job={job} origin={origin} />
        ))}
        {alone.length > 0 && (
          <FirstOf all={alone} className="divide-y divide-line border-y border-line">
            {([url, seen]) => (
              <li key={url} className="py-2">
                <PageLink job={job} url={url} origin={origin} />
                {seen.map((finding) => (
                  <Seen key={finding.id} finding={finding} />
                ))}
              </li>
            )}
          </FirstOf>
        )}
      </div>
      {left > 0 && (
        <p className="mt-1 text-sm text-muted">
          {count(left, 'more of the same was', 'more of the same were')} found and not listed.
        </p>
      )}
    </section>
  );
}

function Shared({
  group: { first, urls },
  job,
  origin,
}: {
  group: SharedEvidence;
  job: JobView;
  origin: string | null;
}) {
  const noun = sharedNoun(first);
  return (
    <div>
      <p className="text-sm font-medium text-strong tabular-nums">
        {count(urls.length, 'page')} {noun && `share this ${noun}`}
      </p>
      <Seen finding={first} />
      <FirstOf all={urls} className="mt-1 border-l-2 border-line pl-3">
        {(url) => (
          <li key={url}>
            <PageLink job={job} url={url} origin={origin} />
          </li>
        )}
      </FirstOf>
    </div>
  );
}

interface FirstOfProps<Item> {
  all: readonly Item[];
  className: string;
  children: (item: Item) => ReactNode;
}

/** The first few, and the others on request. */
function FirstOf<Item>({ all, className, children }: FirstOfProps<Item>) {
  const [whole, setWhole] = useState(false);
  return (
    <>
      <ul className={className}>{(whole ? all : all.slice(0, FIRST)).map(children)}</ul>
      {all.length > FIRST && !whole && (
        <Button variant="quiet" className="mt-1 -ml-2" onClick={() => setWhole(true)}>
          Show all {grouped(all.length)}
        </Button>
      )}
    </>
  );
}

/** Files that are no pages have no view of their own. */
const FILE = /\.(?:txt|xml|xml\.gz)$/i;

/** To the page's own view, and beside it to the site. */
function PageLink({ job, url, origin }: { job: JobView; url: string; origin: string | null }) {
  const href = webLink(url);
  const text = addressText(url, 70, origin);
  if (!href) return <span className="font-mono text-sm wrap-anywhere">{text}</span>;
  const isFile = FILE.test(new URL(href).pathname);
  return (
    <span className="flex items-center gap-1">
      {isFile ? (
        <span className="min-w-0 font-mono text-sm wrap-anywhere">{text}</span>
      ) : (
        <Link
          to={jobPagePath(job.id, url)}
          title={url}
          className="min-w-0 link font-mono text-sm wrap-anywhere pointer-coarse:touch-line"
        >
          {text}
        </Link>
      )}
      <a
        href={href}
        {...OUTSIDE}
        title="Open on the site"
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted hover:bg-inset hover:text-strong pointer-coarse:size-11"
      >
        <ExternalLink aria-hidden="true" size={13} />
        <span className="sr-only">Open {text} on the site</span>
      </a>
    </span>
  );
}

/** What one finding saw: its message, its place, and the value. */
export function Seen({ finding: { message = '', place, value: seen = '' } }: { finding: Finding }) {
  // Omitted when the message already says it.
  const value = seen === 'missing' || message.includes(seen) ? '' : seen;
  return (
    <div className="mt-0.5 not-first-of-type:mt-2">
      <p className="wrap-anywhere">
        <InlineText text={message} /> {place && <span className="text-sm text-muted">{place}</span>}
      </p>
      {value && <p className="font-mono text-sm text-muted wrap-anywhere">{value}</p>}
    </div>
  );
}
