import { useDispatch } from 'react-redux';
import { callApi } from '../../../api/call.ts';
import { sessionEnded } from '../../../api/sessionEnded.ts';
import { accessToken, clearTokens } from '../../../api/tokens.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';

/** Replaces an admin page whose access has timed out. */
export function LogInAgain() {
  const dispatch = useDispatch();
  // Ends the session as if it had expired, so that the log-in page leads back here and drafts are kept.
  const logIn = (): void => {
    const token = accessToken();
    clearTokens();
    dispatch(sessionEnded());
    void callApi({ path: '/api/v1/auth/logout', method: 'POST', body: {} }, token);
  };
  return (
    <div role="alert">
      <Notice tone="attention" title="Log in again to continue">
        <p className="max-w-prose">
          Admin access times out after 30 minutes without activity, and 8 hours after you log in. You’ll come back to
          this page. The rest of the app stays open.
        </p>
        <Button variant="primary" className="mt-1" onClick={logIn}>
          Log in again
        </Button>
      </Notice>
    </div>
  );
}
