import type { ActionItem } from '../domain/plan/events.ts';
import type { AnalystAction } from '../integrations/analyst/analyst.ts';
import { isMarkedOptional } from '../model/actions.ts';

/** A stored item as the analyst writes it today: plans made by earlier versions have no reasons and no marks. */
export function analystAction(item: ActionItem): AnalystAction {
  return { ...item, reason: item.reason ?? '', optional: isMarkedOptional(item) };
}
