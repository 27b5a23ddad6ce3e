/** The time steps of a report, identified by their first UTC day (YYYY-MM-DD). */
import type { ReportStep } from './reports.ts';

/** The first day of the following step. */
export function stepAfter(step: string, by: ReportStep): string {
  const [year = 0, month = 1, day = 1] = step.split('-').map(Number);
  const next = by === 'month' ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + (by === 'week' ? 7 : 1));
  return new Date(next).toISOString().slice(0, 10);
}

/** Every step from first to last, both inclusive, even if nothing happened in it. */
export function stepsBetween(first: string, last: string, by: ReportStep): readonly string[] {
  const steps: string[] = [];
  for (let step = first; step <= last; step = stepAfter(step, by)) steps.push(step);
  return steps;
}
