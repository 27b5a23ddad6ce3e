import type { SystemView } from '../../../../src/http/contract/admin/system.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Card } from '../../../ui/Card.tsx';
import { count, grouped } from '../../../ui/text/wording.ts';
import { ageText } from './wording.ts';

/** How far the read models lag behind the log; one line while none does. */
export function ReadModels({ projections: { age_seconds, models } }: Pick<SystemView, 'projections'>) {
  const isFine = age_seconds === 0 && models.every(({ behind, parked }) => behind === 0 && parked === 0);
  return (
    <Card title="Read models">
      {age_seconds > 0 && (
        <p className="mb-2 text-normal">The oldest event that is not applied yet is {ageText(age_seconds)} old.</p>
      )}
      <details open={!isFine}>
        <summary className="cursor-pointer">
          {isFine ? `All ${grouped(models.length)} up to date` : count(models.length, 'read model')}
        </summary>
        <ul aria-label="Read models" className="mt-2 grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
          {models.map(({ model, behind, parked }) => (
            <li key={model} className="flex items-center justify-between gap-2 border-b border-line py-1">
              <span className="font-mono text-sm wrap-anywhere">{model}</span>
              <span className="flex items-center gap-2 text-sm text-muted tabular-nums">
                {parked > 0 && <Badge tone="attention">{grouped(parked)} parked</Badge>}
                {grouped(behind)} behind
              </span>
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
