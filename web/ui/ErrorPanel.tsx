import { RotateCw } from 'lucide-react';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

/** What happened, what to do, and a button for it, unless nothing can be done. */
export function ErrorPanel({
  title,
  text,
  retryLabel = 'Retry',
  onRetry,
  busy = false,
}: {
  title: string;
  text: string;
  retryLabel?: string | undefined;
  onRetry: (() => void) | undefined;
  busy?: boolean;
}) {
  return (
    <Notice tone="bad" title={title}>
      <p>{text}</p>
      {onRetry && (
        <Button busy={busy} onClick={onRetry} className="mt-1">
          <RotateCw aria-hidden="true" size={14} />
          {retryLabel}
        </Button>
      )}
    </Notice>
  );
}
