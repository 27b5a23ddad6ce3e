import { callApi } from '../../api/call.ts';

/** Records how a shared preview is used. Nothing waits for it or depends on it. */
export function recordPreviewEvent(
  event: 'preview-viewed' | 'preview-cta-clicked',
  shareToken: string,
  jobId: string | null,
): void {
  void callApi(
    {
      path: `/api/v1/analytics/${event}`,
      method: 'POST',
      body: { shareToken, jobId, timestamp: new Date().toISOString() },
    },
    null,
  );
}
