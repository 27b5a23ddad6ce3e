import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { cutMiddle, titleCase } from '../../../ui/text/wording.ts';

/** Facts that a shared view shows about its audit; null is omitted. Times are UTC ISO. */
export interface SharedFacts {
  readonly website: string | null;
  readonly analysedAt: string | null;
  readonly completedAt: string | null;
  readonly views: number | null;
  readonly status: string | null;
  readonly sharedAt: string | null;
}

export function SharedFactsList({ facts }: { facts: SharedFacts }) {
  return (
    <dl className="space-y-1.5 border-b border-line pb-4">
      {facts.website && <Row name="Website">{<span title={facts.website}>{cutMiddle(facts.website, 32)}</span>}</Row>}
      {facts.analysedAt && <Row name="Analyzed">{<RelativeTime iso={facts.analysedAt} />}</Row>}
      {facts.completedAt && <Row name="Completed">{<RelativeTime iso={facts.completedAt} />}</Row>}
      {facts.views !== null && <Row name="Views">{facts.views}</Row>}
      {facts.status && <Row name="Status">{titleCase(facts.status)}</Row>}
      {facts.sharedAt && <Row name="Shared">{<RelativeTime iso={facts.sharedAt} />}</Row>}
    </dl>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right text-strong wrap-anywhere">{children}</dd>
    </div>
  );
}
