import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { copyText } from '../../ui/copyText.ts';

const SHOWN_MS = 2_000;

type Outcome = 'copied' | 'failed' | null;

interface CopyLinkProps {
  url: string;
  /** Which link, for screen readers. */
  about?: string;
  variant?: 'primary' | 'secondary';
}

/** Shows for two seconds that it has copied, or that it could not. */
export function CopyLink({ url, about, variant = 'secondary' }: CopyLinkProps) {
  const [outcome, setOutcome] = useState<{ readonly what: Outcome }>({ what: null });
  useEffect(() => {
    if (outcome.what !== 'copied') return;
    const timer = setTimeout(() => setOutcome({ what: null }), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (): Promise<void> => {
    try {
      await copyText(url);
      setOutcome({ what: 'copied' });
    } catch {
      setOutcome({ what: 'failed' });
    }
  };
  const text = outcome.what === 'copied' ? 'Copied!' : 'Copy link';
  const Icon = outcome.what === 'copied' ? Check : Copy;
  return (
    <>
      <Button variant={variant} aria-label={about && `${text} ${about}`} onClick={() => void copy()}>
        <Icon aria-hidden="true" size={14} />
        {text}
      </Button>
      <span role="status" className="sr-only">
        {outcome.what === 'copied' ? 'Link copied' : ''}
      </span>
      {outcome.what === 'failed' && (
        <p role="alert" className="basis-full text-sm text-bad">
          Failed to copy link to clipboard
        </p>
      )}
    </>
  );
}
