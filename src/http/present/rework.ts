/** A rework of part of an audit, as sent to clients. */
import type { Rework, ReworksDocument } from '../../projections/reworks.ts';
import type { ReworkView } from '../contract/reworks.ts';

const WHAT: Readonly<Record<Rework['what'], ReworkView['what']>> = {
  plan: 'actions',
  summary: 'summary',
  verification: 'verification',
};

export function presentRework(jobId: string, id: string, rework: Rework): ReworkView {
  const { what, actionId, ask, status, failure, askedAt, endedAt } = rework;
  return {
    id,
    job_id: jobId,
    what: WHAT[what],
    action_id: actionId,
    ask,
    status,
    code: failure?.code ?? null,
    error: failure?.reason ?? null,
    asked_at: askedAt,
    ended_at: endedAt,
  };
}

export function presentReworks({ jobId, reworks }: ReworksDocument): ReworkView[] {
  return Object.entries(reworks).map(([id, rework]) => presentRework(jobId, id, rework));
}
