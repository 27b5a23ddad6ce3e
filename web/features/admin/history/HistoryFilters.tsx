import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { eventWords } from '../../../../src/model/history/eventWords.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { DateField } from '../DateField.tsx';
import type { HistoryRequest } from './historyApi.ts';

type Filters = Pick<HistoryRequest, 'types' | 'actor' | 'from' | 'to' | 'order'>;

const WHO = [
  ['', 'Anyone'],
  ['user', 'Users'],
  ['apiKey', 'API keys'],
  ['admin', 'Admins'],
  ['worker', 'Workers'],
  ['system', 'The system'],
  ['anonymous', 'Visitors'],
] as const;
const isKind = (actor: string): boolean => WHO.some(([kind]) => kind === actor);

/** Filters and order of the events, kept in the address. */
export function HistoryFilters({
  types,
  asked,
  onChange,
}: {
  types: readonly string[];
  asked: HistoryRequest;
  onChange: (filters: Filters) => void;
}) {
  const { actor = '', from = '', to = '', order } = asked;
  const [who, setWho] = useState(isKind(actor) ? '' : actor);
  const change = (some: Partial<Filters>): void => onChange({ types: asked.types, actor, from, to, order, ...some });
  const isFiltered = [asked.types, actor, from, to].some((each) => each);
  const [open, setOpen] = useState(isFiltered);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-1.5 text-sm text-normal pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        {isFiltered ? 'Filtered: not all events are shown' : 'Filter and sort'}
        <ChevronDown aria-hidden="true" size={14} className={open ? 'rotate-180' : ''} />
      </summary>
      <form
        aria-label="Filters"
        className="mt-2 grid grid-cols-1 items-end gap-3 sm:grid-cols-2 lg:grid-cols-4"
        onSubmit={(event) => {
          event.preventDefault();
          change({ actor: who.trim() });
        }}
      >
        <SelectField
          label="Event"
          value={asked.types ?? ''}
          choices={[['', 'All events'], ...types.map((type) => [type, eventWords(type)] as const)]}
          onChange={(value) => change({ types: value })}
        />
        <SelectField
          label="Done by"
          value={isKind(actor) ? actor : ''}
          choices={WHO}
          onChange={(value) => {
            setWho('');
            change({ actor: value });
          }}
        />
        <div className="flex items-end gap-2">
          <Field
            label="Email or id of who"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            value={who}
            onChange={({ target }) => setWho(target.value)}
            className="min-w-0 flex-1"
          />
          <Button type="submit" className="min-h-9">
            Apply
          </Button>
        </div>
        <SelectField
          label="Order"
          value={order}
          choices={[
            ['newest', 'Newest first'],
            ['oldest', 'Oldest first'],
          ]}
          onChange={(value) => change({ order: value === 'oldest' ? 'oldest' : 'newest' })}
        />
        <DateField
          label="From"
          type="datetime-local"
          value={localTime(from)}
          onDate={(time) => change({ from: utcTime(time) })}
        />
        <DateField
          label="Until"
          type="datetime-local"
          value={localTime(to)}
          onDate={(time) => change({ to: utcTime(time) })}
        />
        {isFiltered && (
          <Button
            variant="quiet"
            className="justify-self-start"
            onClick={() => {
              setWho('');
              onChange({ types: '', actor: '', from: '', to: '', order });
            }}
          >
            Show all events
          </Button>
        )}
      </form>
    </details>
  );
}

/** For the browser's date field: the reader's local time, to the minute. */
function localTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function utcTime(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
