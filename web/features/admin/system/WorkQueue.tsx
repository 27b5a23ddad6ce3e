import { useState } from 'react';
import type { SystemView, WorkKindView } from '../../../../src/http/contract/admin/system.ts';
import { WORK_KIND_NAMES } from '../../../../src/model/workKinds.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { WorkItems } from './WorkItems.tsx';
import { ageText } from './wording.ts';

/** Pending background work by kind; each kind expands into its items. */
export function WorkQueue({ work }: Pick<SystemView, 'work'>) {
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Card title="Background work">
      <ul aria-label="Background work" className="divide-y divide-line">
        {work.map((row) => (
          <li key={row.kind} className="py-2">
            <KindRow row={row} shown={shown === row.kind} onToggle={() => setShown(shown === row.kind ? null : row.kind)} />
            {shown === row.kind && <WorkItems kind={row.kind} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function KindRow({ row: { kind, depth, oldest_seconds, running, given_up }, shown, onToggle }: { row: WorkKindView; shown: boolean; onToggle: () => void }) {
  const name = WORK_KIND_NAMES[kind] ?? kind;
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
      <span className="min-w-40 max-sm:w-full font-medium text-strong">{name}</span>
      <span className="text-normal tabular-nums">{grouped(depth)} pending</span>
      <span className="text-normal tabular-nums">{grouped(running)} running</span>
      {oldest_seconds > 0 && <span className="text-muted tabular-nums">oldest due for {ageText(oldest_seconds)}</span>}
      {given_up > 0 && <span className="text-attention tabular-nums">{grouped(given_up)} given up since the start</span>}
      {(depth > 0 || shown) && (
        <Button look="quiet" className="ml-auto" aria-expanded={shown} aria-label={`${shown ? 'Hide' : 'Show'} ${name}`} onClick={onToggle}>
          {shown ? 'Hide' : 'Show'}
        </Button>
      )}
    </div>
  );
}
