import { ArrowRight } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import type { ChangesResponse, MomentView, UserChangesResponse } from '../../../../src/http/contract/admin/past.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { useTyped } from '../../../ui/form/useTyped.ts';
import { moneyText } from '../../../ui/text/money.ts';
import { exactTime } from '../../../ui/text/time.ts';
import { count, grouped } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ChangesByKind } from './ChangesByKind.tsx';
import { mergeChanges } from './mergeChanges.ts';
import { momentText, timeOf } from './momentText.ts';
import { LAST_MOMENT } from './PastBanner.tsx';
import { localTime, type PastRequest, utcTime } from './pastAddress.ts';
import { useGetUserChangesQuery, useListChangesInfiniteQuery } from './pastApi.ts';
import { pastFailure } from './pastFailure.ts';

type Between = Extract<PastRequest, { readonly view: 'changes' }>;
type OnShow = (next: { readonly from: string; readonly to: string }) => void;

/** What changed between two moments. */
export function Changes({ asked, onShow }: { asked: Between; onShow: OnShow }) {
  const { userId, ...between } = asked;
  return userId === null ? (
    <OfAll between={between} onShow={onShow} />
  ) : (
    <OfUser userId={userId} between={between} onShow={onShow} />
  );
}

/** Counts the whole log between them, a part at a time, for as long as the page is open. */
function OfAll({ between: { from, to }, onShow }: { between: Omit<Between, 'userId'>; onShow: OnShow }) {
  const query = useListChangesInfiniteQuery({ from, to });
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <div className="space-y-4">
      <AdminAnswer
        query={query}
        title="Failed to count the changes"
        textOf={pastFailure('There is nothing there.')}
        above={(data) => (
          <Head
            title="What changed in the whole installation"
            asked={{ from, to }}
            moments={data && mergeChanges(data.pages)}
            onShow={onShow}
          />
        )}
      >
        {({ pages }) => {
          const counted = mergeChanges(pages);
          if (!counted) return null;
          return (
            <>
              {hasNextPage && <Progress counted={counted} />}
              <ChangesByKind counted={counted} />
              <Counted counted={counted} />
            </>
          );
        }}
      </AdminAnswer>
    </div>
  );
}

function Progress({ counted: { from, to, reached, events } }: { counted: ChangesResponse }) {
  const [begin, end] = [Date.parse(from.time), Date.parse(to.time)];
  const share =
    end > begin ? Math.min(100, Math.max(0, Math.round(((Date.parse(reached) - begin) / (end - begin)) * 100))) : 0;
  return (
    <p role="status" className="flex flex-wrap items-center gap-3 text-sm text-muted">
      <progress max={100} value={share} aria-label="Counted" className="max-w-40" />
      {grouped(events)} events counted, up to {exactTime(reached)}
    </p>
  );
}

function OfUser({
  userId,
  between: { of, ...asked },
  onShow,
}: {
  userId: string;
  between: Omit<Between, 'userId'>;
  onShow: OnShow;
}) {
  const query = useGetUserChangesQuery({ userId, of, ...asked });
  const titleOf = (whose: string): string => `What changed ${of === 'bill' ? 'in the bill of' : 'for'} ${whose}`;
  return (
    <div className="space-y-4">
      <AdminAnswer
        query={query}
        title="Failed to load the changes"
        textOf={pastFailure('There is no such user.')}
        above={(counted) => (
          <Head
            title={titleOf(counted ? (counted.email ?? 'a deleted account') : 'a user')}
            asked={asked}
            moments={counted}
            onShow={onShow}
          />
        )}
      >
        {(counted) => (
          <>
            <Differences differences={counted.differences} />
            <Counted counted={counted} />
            {counted.jobs?.more && (
              <p className="text-sm text-muted">Of this user’s jobs, the newest {counted.jobs.counted} are counted.</p>
            )}
          </>
        )}
      </AdminAnswer>
    </div>
  );
}

interface HeadProps {
  title: string;
  /** In the address. */
  asked: Pick<Between, 'from' | 'to'>;
  /** Absent while there is no answer. */
  moments: { readonly from: MomentView; readonly to: MomentView } | null | undefined;
  onShow: OnShow;
}

function Head({ title, asked, moments, onShow }: HeadProps) {
  const [from, to] = [
    { at: asked.from, moment: moments?.from },
    { at: asked.to, moment: moments?.to },
  ];
  return (
    <header className="space-y-2">
      <h1 className="text-xl wrap-anywhere sm:text-2xl">{title}</h1>
      {moments && (
        <p className="text-muted tabular-nums">
          After {momentText(from)}, up to {momentText(to)}
        </p>
      )}
      <BetweenForm from={timeOf(from)} to={timeOf(to)} onShow={onShow} />
    </header>
  );
}

export function BetweenForm({ from, to, onShow }: { from: string; to: string; onShow: OnShow }) {
  const [first, setFirst] = useTyped(localTime(from));
  const [last, setLast] = useTyped(localTime(to));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onShow({ from: utcTime(first), to: utcTime(last) });
  };
  return (
    <form aria-label="Two points in time" onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <Field
        label="From"
        type="datetime-local"
        step={1}
        max={LAST_MOMENT}
        required
        value={first}
        onChange={({ target }) => setFirst(target.value)}
      />
      <Field
        label="To"
        type="datetime-local"
        step={1}
        max={LAST_MOMENT}
        required
        value={last}
        onChange={({ target }) => setLast(target.value)}
      />
      <Button type="submit">Compare</Button>
    </form>
  );
}

function Differences({ differences }: Pick<UserChangesResponse, 'differences'>) {
  return (
    <Card title="Differences">
      {differences.length === 0 && <p className="text-muted">No differences.</p>}
      <ul aria-label="Differences" className="divide-y divide-line">
        {differences.map(({ what, before, after }) => (
          <li key={what} className="grid gap-x-3 py-1.5 wrap-anywhere sm:grid-cols-[14rem_minmax(0,1fr)]">
            <span className="text-muted">{what}</span>
            <span>
              <del className="text-muted">{before ?? 'Nothing'}</del>
              <ArrowRight aria-hidden="true" size={12} className="mx-1 inline text-muted" />
              <span className="sr-only"> became </span>
              <ins className="text-strong no-underline">{after ?? 'Nothing'}</ins>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Counted({
  counted: { events, counts, money },
}: {
  counted: Pick<ChangesResponse, 'events' | 'counts' | 'money'>;
}) {
  return (
    <div className="grid gap-4 lg:grid-cols-2 lg:items-start">
      <Card title="Events" aside={<p className="text-sm text-muted tabular-nums">{count(events, 'event')}</p>}>
        {counts.length === 0 && <p className="text-muted">No events.</p>}
        <List label="Events by type">
          {counts.map(({ type, title, count: times }) => (
            <Line key={type} name={title}>
              {grouped(times)}
            </Line>
          ))}
        </List>
      </Card>
      <Card title="Money">
        {money.length === 0 && <p className="text-muted">No money changed hands.</p>}
        <List label="Money">
          {money.flatMap(({ currency, in: paid, out }) => [
            <Line key={`${currency} in`} name="Paid">
              {moneyText(paid, currency)}
            </Line>,
            <Line key={`${currency} out`} name="Refunded or disputed">
              {moneyText(out, currency)}
            </Line>,
          ])}
        </List>
      </Card>
    </div>
  );
}

function List({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {children}
    </ul>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li className="flex items-baseline justify-between gap-4 py-1.5">
      <span className="min-w-0 text-normal wrap-anywhere">{name}</span>
      <span className="shrink-0 text-strong tabular-nums">{children}</span>
    </li>
  );
}
