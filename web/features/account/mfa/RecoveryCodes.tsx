import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { saveFile } from '../../../ui/saveFile.ts';
import { OnceDialog } from '../OnceDialog.tsx';

/** Shown once: the server stores only their hashes. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [saved, setSaved] = useState(false);
  const text = `Recovery codes for SEO Workbench, each works once:\n\n${codes.join('\n')}\n`;
  const download = (): void => {
    saveFile('seo-workbench-recovery-codes.txt', text);
    setSaved(true);
  };
  return (
    <OnceDialog
      title="Two-factor authentication is on. Save your recovery codes."
      kept={saved}
      done="I’ve saved them"
      question="You haven’t saved the codes. Close anyway?"
      discard="Close without saving"
      onClose={onDone}
    >
      <div className="space-y-3">
        <Notice tone="attention">
          <p>If you lose your phone, each of these codes logs you in once. They won’t be shown again.</p>
        </Notice>
        <ul
          aria-label="Recovery codes"
          className="grid gap-x-6 gap-y-1 rounded-control bg-inset px-3 py-2 font-mono text-sm text-strong select-all sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Button onClick={download}>
          <Download aria-hidden="true" size={14} />
          Download
        </Button>
      </div>
    </OnceDialog>
  );
}
