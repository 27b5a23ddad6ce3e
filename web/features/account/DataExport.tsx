import { Download } from 'lucide-react';
import { type ReactNode, useContext, useEffect, useId, useRef } from 'react';
import { textOf } from '../../api/failure.ts';
import { LiveChannels } from '../../api/live.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { exactTime } from '../../ui/text/time.ts';
import { useGetExportQuery, useLoadExportFileMutation, useRequestExportMutation } from './accountApi.ts';

/** A worker writes the file, which may take a while; it can be downloaded for some days. */
export function DataExport() {
  const { data: shown = null, error: unread, isFetching, refetch } = useGetExportQuery();
  const [request, { isLoading: isRequesting, error: refused }] = useRequestExportMutation();
  useLiveExport(refetch);
  const isPending = shown?.status === 'pending';
  return (
    <Card title="Your data">
      <p className="mb-3">
        Export everything we store about you as one JSON file: account, sessions, activity, audits with their files and
        action items, links, keys, webhooks and bills.
      </p>
      {isPending && <Progress percent={shown.percent} />}
      {shown?.file_id && <ReadyFile fileId={shown.file_id} expiresAt={shown.expires_at ?? ''} onGone={refetch} />}
      <Button busy={isPending || isRequesting || isFetching} onClick={() => void request()}>
        {shown?.file_id ? 'Export again' : 'Export my data'}
      </Button>
      {shown?.status === 'failed' && <Failure>Your export failed. {shown.error}</Failure>}
      {(refused ?? unread) && <Failure>{textOf(refused ?? unread, 'Failed to export your data')}</Failure>}
    </Card>
  );
}

function Progress({ percent }: { percent: number }) {
  return (
    <div role="status" className="mb-3">
      <progress max={100} value={percent} aria-label="Export written" />
      <p className="text-sm text-muted">We’re writing your file. You can leave this page and come back later.</p>
    </div>
  );
}

function ReadyFile({ fileId, expiresAt, onGone }: { fileId: string; expiresAt: string; onGone: () => void }) {
  const [load, { isLoading, error, reset }] = useLoadExportFileMutation();
  const id = useId();
  const save = async (): Promise<void> => {
    const { data, error: refusal } = await load(fileId);
    if (refusal) onGone();
    if (!data) return;
    saveFile(
      `seo-workbench-account-${new Date().toISOString().slice(0, 10)}.json`,
      `${JSON.stringify(data, null, 2)}\n`,
    );
    // It may be large and is not needed here.
    reset();
  };
  return (
    <div className="mb-3">
      <Button variant="primary" busy={isLoading} aria-describedby={id} onClick={() => void save()}>
        <Download aria-hidden="true" size={14} />
        Download
      </Button>
      <p id={id} className="mt-1 text-sm text-muted">
        Your file is ready. You can download it until {exactTime(expiresAt)}.
      </p>
      {error && <Failure>{textOf(error, 'Failed to download your data')}</Failure>}
    </div>
  );
}

function Failure({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mt-2 text-sm text-bad">
      {children}
    </p>
  );
}

/** Reads the state again whenever it has changed. */
function useLiveExport(refetch: () => unknown): void {
  const channels = useContext(LiveChannels);
  const latest = useRef(refetch);
  useEffect(() => {
    latest.current = refetch;
  });
  useEffect(() => {
    const reload = (): void => void latest.current();
    return channels.follow({ name: 'exports', apply: reload, reload });
  }, [channels]);
}
