import { Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { saveFile } from '../../../ui/saveFile.ts';

/** Shown once: the server stores only their hashes. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const heading = useRef<HTMLParagraphElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = `Recovery codes for SEO Workbench, each works once:\n\n${codes.join('\n')}\n`;
  return (
    <div className="max-w-sm space-y-3">
      <p ref={heading} tabIndex={-1} className="font-medium text-strong">
        Two-factor authentication is on. Save your recovery codes.
      </p>
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
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => saveFile('seo-workbench-recovery-codes.txt', text)}>
          <Download aria-hidden="true" size={14} />
          Download
        </Button>
        <Button variant="primary" onClick={onDone}>
          I’ve saved them
        </Button>
      </div>
    </div>
  );
}
