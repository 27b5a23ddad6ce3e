import type { ReactNode } from 'react';
import { Badge } from '../../../ui/Badge.tsx';
import { categoryName } from '../../../ui/text/categoryName.ts';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { titleCase } from '../../../ui/text/wording.ts';
import { type ActionItem, resultsText } from './actionItem.ts';
import { ImpactMeter } from './impact.tsx';
import { MinutesText } from './MinutesText.tsx';

/** A task's facts, apart from its text. */
export function Facts({ item }: { item: ActionItem }) {
  return (
    <dl className="space-y-3">
      {item.impact && !item.optional && (
        <Fact name="Impact">
          <ImpactMeter impact={item.impact} />
        </Fact>
      )}
      <Fact name="Category">{categoryName(item.category || 'not given')}</Fact>
      <Fact name="Time required">
        <MinutesText minutes={item.minutes} />
      </Fact>
      {item.difficulty && <Fact name="Difficulty">{titleCase(item.difficulty)}</Fact>}
      <Fact name="Results">{resultsText(item.results)}</Fact>
      {item.startedAt && (
        <Fact name="Started">
          <RelativeTime iso={item.startedAt} />
        </Fact>
      )}
      {item.completedAt && (
        <Fact name="Completed">
          <RelativeTime iso={item.completedAt} />
        </Fact>
      )}
      {item.tags.length > 0 && (
        <Fact name="Tags">
          <span className="mt-1 flex flex-wrap gap-1">
            {item.tags.map((tag) => (
              <Badge key={tag} tone="plain">
                {tag}
              </Badge>
            ))}
          </span>
        </Fact>
      )}
      <Fact name="ID">
        <span className="font-mono text-xs wrap-anywhere">{item.id}</span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-strong">{children}</dd>
    </div>
  );
}
