import { useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import { selectStatus } from '../../api/system.ts';
import { selectPhase } from '../../features/auth/authSlice.ts';
import { SharedFrame } from '../../features/sharing/SharedFrame.tsx';
import { SharedTexts } from '../../features/sharing/SharedTexts.tsx';
import { paths } from '../../ui/paths.ts';

/** /share/{token}: the shared texts, one tab each. */
export function SharedTextsPage() {
  const { token = '' } = useParams();
  const member = useSelector(selectPhase) === 'authenticated';
  const status = useSelector(selectStatus);
  const sells = status !== null && status.payments !== 'off';
  return (
    <SharedFrame token={token} wide={false} member={member} sells={sells}>
      {(view) => (
        <>
          <SharedTexts content={view.content} />
          {view.actions.length > 0 && (
            <p>
              <Link to={`${paths.shared}/${token}`} className="link">
                View as a dashboard
              </Link>
            </p>
          )}
        </>
      )}
    </SharedFrame>
  );
}
