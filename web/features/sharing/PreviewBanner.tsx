import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import type { SharedView } from '../../../src/http/contract/share.ts';
import { selectUnlimited } from '../../api/system.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { paths } from '../../ui/paths.ts';
import { recordPreviewEvent } from './previewEvents.ts';

interface PreviewBannerProps {
  token: string;
  view: SharedView;
  /** Whether the visitor is logged in. */
  member: boolean;
  /** Whether plans are sold. */
  sells: boolean;
}

/**
 * Says that this is a preview and what the full version takes. A visitor who signs up returns to this page and then
 * continues to their account.
 */
export function PreviewBanner({ token, view, member, sells }: PreviewBannerProps) {
  const { actionsShown, totalActions } = view.previewMode;
  const unlimited = useSelector(selectUnlimited);
  return (
    <section
      aria-label="Preview"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card border border-info-line bg-info-soft px-4 py-3 text-info print:hidden"
    >
      <div className="max-w-[70ch]">
        <p className="font-medium">
          {totalActions > 0 ? `Preview: ${actionsShown} of ${totalActions} action items` : 'Preview'}
        </p>
        <p>{member ? memberText(sells) : `Create ${unlimited ? 'an' : 'a free'} account to audit your own site.`}</p>
      </div>
      {member ? (
        <Link to={sells ? paths.plans : paths.home} className={buttonClasses('primary')}>
          {sells ? 'See plans' : 'Audit your site'}
        </Link>
      ) : (
        <SignUp token={token} jobId={view.jobId} label={unlimited ? 'Sign up' : 'Sign up free'} />
      )}
    </section>
  );
}

/** Says before a purchase what a plan does not include. */
function memberText(sells: boolean): string {
  return sells
    ? 'A plan shows every action item of your own audits. It doesn’t unlock this preview: only its owner can share all of it.'
    : 'Audit your own site with your account.';
}

function SignUp({ token, jobId, label }: { token: string; jobId: string | null; label: string }) {
  const search = new URLSearchParams({ source: 'preview', utm_campaign: 'shared_preview', utm_content: token });
  return (
    <Link
      to={`${paths.signup}?${search}`}
      state={{ from: `${paths.shared}/${token}` }}
      onClick={() => recordPreviewEvent('preview-cta-clicked', token, jobId)}
      className={buttonClasses('primary')}
    >
      {label}
    </Link>
  );
}
