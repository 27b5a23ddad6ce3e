import { Check, Copy } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { useCopy } from '../../ui/useCopy.ts';

interface CopyLinkProps {
  url: string;
  /** Which link, for screen readers. */
  about?: string;
  variant?: 'primary' | 'secondary';
}

/** Shows for two seconds that it has copied, or that it could not. */
export function CopyLink({ url, about, variant = 'secondary' }: CopyLinkProps) {
  const { state, copy } = useCopy();
  const text = state === 'copied' ? 'Copied!' : 'Copy link';
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <>
      <Button variant={variant} aria-label={about && `${text} ${about}`} onClick={() => void copy(url)}>
        <Icon aria-hidden="true" size={14} />
        {text}
      </Button>
      <span role="status" className="sr-only">
        {state === 'copied' ? 'Link copied' : ''}
      </span>
      {state === 'failed' && (
        <p role="alert" className="basis-full text-sm text-bad">
          Failed to copy link to clipboard
        </p>
      )}
    </>
  );
}
