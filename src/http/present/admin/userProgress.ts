/** User progress, for admins. */
import type { Counts } from '../../../projections/userProgress/documents.ts';
import type { ProgressRow } from '../../../projections/userProgress/userProgress.ts';
import type { UserProgressResponse, UserProgressView } from '../../contract/admin/userProgress.ts';

export function presentUserProgress(row: ProgressRow): UserProgressView {
  return {
    user_id: row.userId,
    email: row.email,
    domain: row.domain,
    total_actions: row.totalActions,
    completed_actions: row.completedActions,
    in_progress_actions: row.inProgressActions,
    completion_percentage: row.completionPercentage,
    time_saved: row.timeSaved,
    last_activity: row.lastActivity,
  };
}

export function presentProgressSummary({
  users,
  total,
  completed,
  minutes,
}: Counts & { readonly users: number }): UserProgressResponse['summary'] {
  return { users, total_actions: total, completed_actions: completed, time_saved: minutes };
}
