import { useSelector } from 'react-redux';
import { selectStatus } from '../../../api/system.ts';
import { AHEAD_SECONDS, renewalDueAt } from '../../../api/tokens.ts';
import { AuthDebugPanel } from '../../../features/admin/debug/AuthDebugPanel.tsx';
import { selectAuth } from '../../../features/auth/authSlice.ts';

/**
 * The debug panel with this browser's state. For a session's last token, which lives only minutes, the expiry shown is
 * later than the real one.
 */
export function AdminDebug() {
  const { phase, user, profile } = useSelector(selectAuth);
  const status = useSelector(selectStatus);
  const dueAt = renewalDueAt();
  const debug = {
    phase,
    developmentMode: status?.auth_system.development_mode === true,
    userId: user?.id ?? null,
    email: user?.email ?? null,
    isAdmin: profile?.is_admin === true,
    plan: status?.unlimited ? null : (profile?.plan ?? null),
    tokenEndsAt: dueAt === null ? null : dueAt + AHEAD_SECONDS * 1_000,
  };
  return <AuthDebugPanel debug={debug} />;
}
