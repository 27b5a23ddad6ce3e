import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router-dom';
import type { JobAccess } from '../../../src/model/jobs.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { INPUT_CLASSES } from '../../ui/form/Field.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { paths } from '../../ui/paths.ts';
import { CopyLink } from './CopyLink.tsx';
import { ShareForm } from './ShareForm.tsx';

interface ShareModalProps {
  jobId: string | null;
  host: string;
  /** The owner's own access: a preview can only be shared as a preview. */
  access: JobAccess;
  onClose: () => void;
}

/** The form, then the link it created. */
export function ShareModal({ jobId, host, access, onClose }: ShareModalProps) {
  const [shareUrl, setShareUrl] = useState<string | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const another = (): void => {
    flushSync(() => setShareUrl(null));
    // The clicked button is gone, so focus moves to the form.
    form.current?.querySelector('input')?.focus();
  };
  return (
    <Dialog fills title={shareUrl ? 'Your link is ready' : `Share the audit of ${host}`} onClose={onClose}>
      {shareUrl ? (
        <Ready shareUrl={shareUrl} onAnother={another} />
      ) : (
        <div ref={form}>
          <ShareForm jobId={jobId} host={host} access={access} onCreated={setShareUrl} />
        </div>
      )}
    </Dialog>
  );
}

function Ready({ shareUrl, onAnother }: { shareUrl: string; onAnother: () => void }) {
  const link = useRef<HTMLInputElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => link.current?.focus(), []);
  return (
    <div className="space-y-4">
      <p role="status">Anyone with this link can open it without an account until it expires or you revoke it.</p>
      <input
        ref={link}
        readOnly
        aria-label="Share link"
        value={shareUrl}
        // Selected backwards, so that the field shows the beginning.
        onFocus={({ currentTarget: field }) => field.setSelectionRange(0, field.value.length, 'backward')}
        className={`${INPUT_CLASSES} h-9 font-mono text-sm pointer-coarse:h-11`}
      />
      <div className="flex flex-wrap gap-2">
        <CopyLink url={shareUrl} variant="primary" />
        <a href={shareUrl} target="_blank" rel="noopener noreferrer" className={buttonClasses('secondary')}>
          Open
        </a>
        <Button onClick={onAnother}>Create Another</Button>
      </div>
      <p>
        <Link to={paths.shares} className="link">
          View Shared Links
        </Link>
      </p>
    </div>
  );
}
