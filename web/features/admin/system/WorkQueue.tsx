import { useState } from 'react';
import type { SystemView, WorkKindView } from '../../../../src/http/contract/admin/system.ts';
import { WORK_KIND_NAMES } from '../../../../src/model/workKinds.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { GivenUpWork } from './GivenUpWork.tsx';
import { WorkItems } from './WorkItems.tsx';
import { ageText } from './wording.ts';

/** Background work by kind, pending and given up; each expands into its items. */
export function WorkQueue({ work }: Pick<SystemView, 'work'>) {
  const [shown, setShown] = useState<Shown | null>(null);
  return (
    <Card title="Background work">
      <ul aria-label="Background work" className="divide-y divide-line">
        {work.map((row) => (
          <li key={row.kind} className="py-2">
            <KindRow
              row={row}
              shown={shown?.kind === row.kind ? shown.list : null}
              onToggle={(list) =>
                setShown(shown?.kind === row.kind && shown.list === list ? null : { kind: row.kind, list })
              }
            />
            {shown?.kind === row.kind &&
              (shown.list === 'pending' ? <WorkItems kind={row.kind} /> : <GivenUpWork kind={row.kind} />)}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type List = 'pending' | 'givenUp';
type Shown = { readonly kind: string; readonly list: List };

function KindRow({ row, shown, onToggle }: { row: WorkKindView; shown: List | null; onToggle: (list: List) => void }) {
  const { kind, depth, oldest_seconds, running, given_up, given_up_today } = row;
  const name = WORK_KIND_NAMES[kind] ?? kind;
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
      <span className="min-w-40 max-sm:w-full font-medium text-strong">{name}</span>
      <span className="text-normal tabular-nums">{grouped(depth)} pending</span>
      <span className="text-normal tabular-nums">{grouped(running)} running</span>
      {oldest_seconds > 0 && <span className="text-muted tabular-nums">oldest due for {ageText(oldest_seconds)}</span>}
      {given_up > 0 && (
        <span className="text-attention tabular-nums">
          {grouped(given_up)} given up{given_up_today > 0 && `, ${grouped(given_up_today)} in the last 24 hours`}
        </span>
      )}
      <div className="ml-auto flex flex-wrap gap-2">
        {(given_up > 0 || shown === 'givenUp') && (
          <ShowButton
            isShown={shown === 'givenUp'}
            what="given up"
            of={`given up: ${name}`}
            onClick={() => onToggle('givenUp')}
          />
        )}
        {(depth > 0 || shown === 'pending') && (
          <ShowButton isShown={shown === 'pending'} what="pending" of={name} onClick={() => onToggle('pending')} />
        )}
      </div>
    </div>
  );
}

function ShowButton({
  isShown,
  what,
  of,
  onClick,
}: {
  isShown: boolean;
  what: string;
  of: string;
  onClick: () => void;
}) {
  const verb = isShown ? 'Hide' : 'Show';
  return (
    <Button variant="quiet" aria-expanded={isShown} aria-label={`${verb} ${of}`} onClick={onClick}>
      {verb} {what}
    </Button>
  );
}
