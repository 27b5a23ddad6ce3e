import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { copyText } from '../../../ui/copyText.ts';
import type { ActionItem } from './actionItem.ts';
import { promptOf } from './promptText.ts';

const CONFIRMATION_MS = 2000;

const TEXTS = { idle: 'Copy as a prompt', copied: 'Copied', failed: 'Could not copy' } as const;

/** Copies the task as a prompt for a coding assistant. */
export function CopyPrompt({ item, site }: { item: ActionItem; site: string }) {
  const [state, setState] = useState<keyof typeof TEXTS>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => {
    try {
      await copyText(promptOf(item, site));
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <Button variant="quiet" aria-live="polite" onClick={() => void copy()}>
      <Icon aria-hidden="true" size={14} />
      {TEXTS[state]}
    </Button>
  );
}
