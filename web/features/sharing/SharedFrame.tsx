import { type ReactNode, useEffect } from 'react';
import type { SharedView } from '../../../src/http/contract/share.ts';
import { settingsText } from '../../../src/model/crawlSettings.ts';
import { readableAddress } from '../../../src/model/readableAddress.ts';
import { NOT_JUDGED_TEXTS } from '../../../src/model/scores.ts';
import { Button } from '../../ui/Button.tsx';
import { useShownFocus } from '../../ui/focus/shownFocus.ts';
import { Logo } from '../../ui/Logo.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { PRODUCT_NAME } from '../../ui/product.ts';
import { NotJudged, ScoreRing } from '../../ui/ScoreRing.tsx';
import { Loading } from '../../ui/Spinner.tsx';
import { ThemeToggle } from '../../ui/ThemeToggle.tsx';
import { RelativeTime } from '../../ui/text/RelativeTime.tsx';
import { count } from '../../ui/text/wording.ts';
import { PreviewBanner } from './PreviewBanner.tsx';
import { recordPreviewEvent } from './previewEvents.ts';
import { useShared } from './useShared.ts';

interface SharedFrameProps {
  token: string;
  /** Width of the main part: wide for the dashboard, narrow for texts. */
  wide: boolean;
  /** Whether the visitor is logged in. */
  member: boolean;
  /** Whether plans are sold. */
  sells: boolean;
  children: (view: SharedView) => ReactNode;
}

/** Layout of shared pages: no account, no navigation, only the shared content. */
export function SharedFrame({ token, wide, member, sells, children }: SharedFrameProps) {
  const { shared, reload } = useShared(token);
  useShownFocus(`${wide} ${token}`);
  const width = wide ? 'max-w-[1680px]' : 'max-w-3xl';
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line bg-card print:hidden">
        <div className={`mx-auto flex min-h-14 items-center gap-2 px-4 sm:px-6 ${width}`}>
          <Logo />
          <span className="font-semibold text-strong">{PRODUCT_NAME}</span>
          <span className="ml-auto">
            <ThemeToggle />
          </span>
        </div>
      </header>
      <main id="main" className={`mx-auto w-full flex-1 px-4 py-6 sm:px-6 ${width}`}>
        {shared.state === 'loading' && <Loading label="Loading shared content" />}
        {shared.state === 'gone' && <Gone />}
        {shared.state === 'failed' && <NotAvailable onRetry={reload} />}
        {shared.state === 'open' && (
          <Opened token={token} view={shared.view} member={member} sells={sells} body={children} />
        )}
      </main>
    </div>
  );
}

type OpenedProps = Pick<SharedFrameProps, 'token' | 'member' | 'sells'> & {
  view: SharedView;
  body: SharedFrameProps['children'];
};

function Opened({ token, view, member, sells, body }: OpenedProps) {
  const { isPreview, jobId } = view;
  usePageTitle(view.title);
  useEffect(() => {
    if (isPreview) recordPreviewEvent('preview-viewed', token, jobId);
  }, [isPreview, token, jobId]);
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        {view.job?.score !== null && view.job?.score !== undefined && (
          <ScoreRing word score={view.job.score} size={56} />
        )}
        {view.job?.not_judged && <NotJudged size={56} />}
        <div className="min-w-0 flex-1">
          <h1 className="text-xl wrap-anywhere sm:text-2xl">{view.title}</h1>
          <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-muted">
            {view.metadata.url && <span className="wrap-anywhere">{readableAddress(view.metadata.url)}</span>}
            {view.job?.settings && <span className="wrap-anywhere">{settingsText(view.job.settings)}</span>}
            <span>
              Shared <RelativeTime iso={view.createdAt} />
            </span>
            <span className="tabular-nums">{count(view.viewCount, 'view')}</span>
          </p>
        </div>
      </div>
      {view.job?.not_judged && <p className="max-w-[70ch] text-muted">{NOT_JUDGED_TEXTS[view.job.not_judged]}</p>}
      {view.job?.reason && <p className="max-w-[70ch] text-muted wrap-anywhere">{view.job.reason}</p>}
      {view.description && <p className="max-w-[70ch] wrap-anywhere">{view.description}</p>}
      {isPreview && <PreviewBanner token={token} view={view} member={member} sells={sells} />}
      {body(view)}
    </div>
  );
}

function Gone() {
  usePageTitle('Link Not Found');
  return (
    <Message title="Link Not Found" text="This link may have expired, been revoked or never existed.">
      <p className="mt-1 text-muted">Ask the person who sent it for a new one.</p>
    </Message>
  );
}

function NotAvailable({ onRetry }: { onRetry: () => void }) {
  usePageTitle('Content Not Available');
  return (
    <Message title="Content Not Available" text="Failed to load shared content">
      <Button variant="primary" onClick={onRetry} className="mt-4">
        Try Again
      </Button>
    </Message>
  );
}

function Message({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div role="alert" className="mx-auto mt-12 max-w-md panel px-4 py-12 text-center">
      <h1 className="text-xl">{title}</h1>
      <p className="mt-2">{text}</p>
      {children}
    </div>
  );
}
