import { useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import type { SharedView } from '../../../src/http/contract/share.ts';
import { selectStatus } from '../../api/system.ts';
import { ActionsDashboard } from '../../features/actions/ActionsDashboard.tsx';
import { selectPhase } from '../../features/auth/authSlice.ts';
import { SharedFrame } from '../../features/sharing/SharedFrame.tsx';
import { SharedTexts } from '../../features/sharing/SharedTexts.tsx';
import { paths } from '../../ui/paths.ts';
import { hostWithoutWww } from '../../ui/text/wording.ts';

/** /shared/{token}: the read-only dashboard of a shared audit. */
export function SharedPage() {
  const { token = '' } = useParams();
  const member = useSelector(selectPhase) === 'authenticated';
  const status = useSelector(selectStatus);
  const sells = status !== null && status.payments !== 'off';
  return (
    <SharedFrame token={token} wide member={member} sells={sells}>
      {(view) =>
        view.sharedContent.includes('actions') ? (
          <SharedDashboard token={token} view={view} />
        ) : (
          <SharedTexts content={view.content} />
        )
      }
    </SharedFrame>
  );
}

function SharedDashboard({ token, view }: { token: string; view: SharedView }) {
  const { job } = view;
  return (
    <>
      <ActionsDashboard
        mode="shared"
        actions={view.actions}
        stats={view.stats ?? undefined}
        executiveSummary={view.executiveSummary}
        isPreview={view.isPreview}
        totalActions={view.previewMode.totalActions}
        {...(job ? { site: hostWithoutWww(new URL(job.url).host) } : {})}
        sharedFacts={{
          website: job?.url ?? null,
          analysedAt: job?.created_at ?? null,
          completedAt: job?.completed_at ?? null,
          views: view.viewCount,
          status: job?.status ?? null,
          sharedAt: view.createdAt,
        }}
      />
      <p>
        <Link to={`${paths.share}/${token}`} className="link">
          Text version
        </Link>
      </p>
    </>
  );
}
