import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { eventCommands, KEY_PLACEHOLDER } from '../../../../src/model/eventCommands.ts';
import { Button } from '../../../ui/Button.tsx';
import { copyText } from '../../../ui/copyText.ts';

const COPIED_MS = 2_000;

/** Ready commands for a key that opens events, each with a place for the key: never the key itself. */
export function EventCommands() {
  return (
    <div className="space-y-3">
      <p className="text-sm text-muted">
        Each prints how many events there were by day and type, as CSV. Replace{' '}
        <code className="font-mono">{KEY_PLACEHOLDER}</code> with the key.
      </p>
      {eventCommands(window.location.origin).map(({ tool, text }) => (
        <fieldset key={tool} aria-label={tool} className="min-w-0">
          <div className="flex items-center justify-between gap-2">
            <h3 className="font-medium text-strong">{tool}</h3>
            <CopyCommand tool={tool} text={text} />
          </div>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
            tabIndex={0}
            className="mt-1 max-h-48 overflow-auto rounded-control bg-inset p-3 font-mono text-xs"
          >
            {text}
          </pre>
        </fieldset>
      ))}
    </div>
  );
}

const TEXTS = { idle: 'Copy', copied: 'Copied', failed: 'Could not copy' } as const;

function CopyCommand({ tool, text }: { tool: string; text: string }) {
  const [state, setState] = useState<keyof typeof TEXTS>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    copyText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <Button variant="quiet" aria-live="polite" aria-label={`${TEXTS[state]}: command for ${tool}`} onClick={copy}>
      <Icon aria-hidden="true" size={14} />
      {TEXTS[state]}
    </Button>
  );
}
