import { ChevronRight } from 'lucide-react';
import { memo, useMemo, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { GroupView } from '../../../../src/http/contract/findings.ts';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { Button } from '../../../ui/Button.tsx';
import { count, grouped } from '../../../ui/text/wording.ts';
import { AuditPart } from '../page/AuditPart.tsx';
import { commonOrigin } from '../page/addressText.ts';
import { ImpactMark } from '../page/ImpactMark.tsx';
import { Nothing } from '../page/Nothing.tsx';
import { rowsOf } from '../page/reportApi.ts';
import { changed, type FindingsAddress, type Place } from './address.ts';
import { useListGroupsInfiniteQuery } from './groupsApi.ts';
import { groupText, PLACE_NOUNS } from './groupText.ts';
import { useIssueKeys } from './useIssueKeys.ts';

const STEP = 100;
const nothing = (): void => undefined;

interface GroupListProps {
  job: JobView;
  by: Place;
  filter: FindingsAddress['filter'];
  onSearch: () => void;
}

/** Issues by where they are; each group opens its own. */
export function GroupList({ job, by, filter: { category, impact, search: words }, onSearch }: GroupListProps) {
  const query = useListGroupsInfiniteQuery({
    ...rowsOf(job),
    by,
    limit: STEP,
    ...(category ? { category } : {}),
    ...(impact ? { impact } : {}),
    ...(words ? { search: words } : {}),
  });
  const area = useRef<HTMLDivElement>(null);
  useIssueKeys(area, {
    opened: null,
    onMoved: nothing,
    onSelect: nothing,
    onAdvance: nothing,
    onSearch,
    onClose: nothing,
  });
  return (
    <div ref={area}>
      {/* Never the groups of another kind under this one's name. */}
      <AuditPart query={{ ...query, data: query.currentData }}>
        {({ pages }) => (
          <Groups
            by={by}
            groups={pages.flatMap(({ data }) => data.groups)}
            total={pages[0]?.data.total ?? 0}
            filtered={Boolean(category || impact || words)}
            busy={query.isFetchingNextPage}
            onMore={() => void query.fetchNextPage()}
          />
        )}
      </AuditPart>
    </div>
  );
}

interface GroupsProps {
  by: Place;
  groups: readonly GroupView[];
  total: number;
  filtered: boolean;
  busy: boolean;
  onMore: () => void;
}

function Groups({ by, groups, total, filtered, busy, onMore }: GroupsProps) {
  const [search] = useSearchParams();
  const origin = useMemo(() => (by === 'page' ? commonOrigin(groups.map(({ value }) => value)) : null), [by, groups]);
  const [one, many] = PLACE_NOUNS[by];
  const left = total - groups.length;
  return (
    <div className="space-y-2">
      <p role="status" className="flex min-h-8 items-center px-1 text-sm text-muted tabular-nums">
        {total > 0 ? `${count(total, one, many)} with issues, worst first` : ''}
      </p>
      {total === 0 ? (
        <Nothing
          text={filtered ? `No ${many} match these filters.` : `The issues of this audit have no ${many} recorded.`}
        >
          <Link
            to={{ search: `?${changed(search, { group: null, category: null, impact: null, search: null })}` }}
            className="link"
          >
            Show all issues
          </Link>
        </Nothing>
      ) : (
        <ol aria-label={`Issues by ${one}`} className="divide-y divide-line overflow-hidden panel">
          {groups.map((group) => (
            <li key={group.value} data-row={group.value}>
              <GroupRow
                by={by}
                group={group}
                origin={origin}
                to={`?${changed(search, { [by]: group.value, search: null, cause: null })}`}
              />
            </li>
          ))}
        </ol>
      )}
      {left > 0 && (
        <div className="text-center">
          <Button variant="quiet" busy={busy} onClick={onMore}>
            Show {Math.min(STEP, left)} more of {grouped(left)}
          </Button>
        </div>
      )}
    </div>
  );
}

interface GroupRowProps {
  by: Place;
  group: GroupView;
  origin: string | null;
  to: string;
}

const GroupRow = memo(function GroupRow({ by, group, origin, to }: GroupRowProps) {
  const { kind, name } = groupText(by, group.value, origin);
  const { impact, issues, findings, pages } = group;
  return (
    <Link
      to={{ search: to }}
      data-issue=""
      className="flex min-h-11 flex-wrap items-center gap-x-3 rounded-control px-3 py-1 -outline-offset-2 hover:bg-inset sm:min-h-10 sm:flex-nowrap"
    >
      <span className="max-sm:order-2 sm:w-22">
        <ImpactMark impact={impact === 'hint' ? 'low' : impact} hint={impact === 'hint'} />
      </span>
      <span title={group.value} className="min-w-0 flex-1 truncate text-strong max-sm:order-1 max-sm:basis-full">
        {kind && <span className="mr-2 text-sm text-muted">{kind}</span>}
        {name && <span className="font-mono text-sm">{name}</span>}
      </span>
      <span className="w-20 shrink-0 text-sm text-muted tabular-nums max-sm:order-3 max-sm:w-auto sm:text-right">
        {count(issues, 'issue')}
      </span>
      {findings !== null && (
        <span className="w-24 shrink-0 text-sm text-muted tabular-nums max-sm:order-4 max-sm:w-auto sm:text-right">
          {count(findings, 'finding')}
        </span>
      )}
      {by !== 'page' && (
        <span className="w-20 shrink-0 text-sm text-muted tabular-nums max-sm:order-5 max-sm:w-auto sm:text-right">
          {count(pages, 'page')}
        </span>
      )}
      <ChevronRight aria-hidden="true" size={14} className="shrink-0 text-muted max-sm:hidden" />
    </Link>
  );
});
