import { useSelector } from 'react-redux';
import { selectStatus } from '../../../api/system.ts';
import { AHEAD_SECONDS, renewalDueAt } from '../../../api/tokens.ts';
import { AuthDebugPanel } from '../../../features/admin/debug/AuthDebugPanel.tsx';
import { selectAuth } from '../../../features/auth/authSlice.ts';

/** The debug panel with what this browser knows. Of the last token of a session, which lives for minutes, the end is later than it is. */
export function AdminDebug() {
  const { phase, user, profile } = useSelector(selectAuth);
  const status = useSelector(selectStatus);
  const dueAt = renewalDueAt();
  const debug = {
    ...{ phase, developmentMode: status?.auth_system.development_mode === true },
    ...{ userId: user?.id ?? null, email: user?.email ?? null, isAdmin: profile?.is_admin === true, plan: status?.unlimited ? null : (profile?.plan ?? null) },
    tokenEndsAt: dueAt === null ? null : dueAt + AHEAD_SECONDS * 1_000,
  };
  return <AuthDebugPanel debug={debug} />;
}
