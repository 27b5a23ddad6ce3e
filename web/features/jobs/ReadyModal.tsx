import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { paths } from '../../ui/paths.ts';
import { count, hostWithoutWww } from '../../ui/text/wording.ts';
import { playTwoTones } from './chime.ts';
import { readyDismissed, selectReady } from './jobsSlice.ts';

const FLASH_MS = 1000;

/** Announces on any page that a report is ready. */
export function ReadyModal() {
  const ready = useSelector(selectReady);
  const latest = ready.at(-1);
  const dispatch = useDispatch();
  const navigate = useNavigate();
  useTitleFlash(latest ? `Ready: ${hostWithoutWww(latest.host)}` : null);
  const latestId = latest?.jobId;
  useEffect(() => {
    if (latestId) playTwoTones();
  }, [latestId]);

  if (!latest) return null;
  const close = (): unknown => dispatch(readyDismissed());
  const view = (): void => {
    close();
    void navigate(`${paths.actions}?jobId=${encodeURIComponent(latest.jobId)}`);
  };
  const others = ready.length - 1;
  return (
    <Dialog
      title="Analysis complete"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Later</Button>
          <Button variant="primary" onClick={view}>
            View Your Report
          </Button>
        </>
      }
    >
      <p>
        <strong className="font-semibold text-strong">{hostWithoutWww(latest.host)}</strong>: your audit is ready, with{' '}
        {count(latest.actionCount, 'action item')}.
      </p>
      {others > 0 && (
        <p className="mt-2 text-muted">
          {count(others, 'more audit is', 'more audits are')} ready too, under Recent Jobs.
        </p>
      )}
    </Dialog>
  );
}

/** Alternates the tab's title until the user responds, then restores it. */
function useTitleFlash(text: string | null): void {
  useEffect(() => {
    if (!text) return;
    // The page's title may change meanwhile, through the back button or because its data was loaded.
    let own = document.title;
    const flash = (): void => {
      const flashed = document.title === text;
      if (!flashed) own = document.title;
      document.title = flashed ? own : text;
    };
    const timer = setInterval(flash, FLASH_MS);
    flash();
    return () => {
      clearInterval(timer);
      if (document.title === text) document.title = own;
    };
  }, [text]);
}
