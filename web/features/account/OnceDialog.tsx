import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';

interface OnceDialogProps {
  title: string;
  /** The user has a copy: closing loses nothing. */
  kept: boolean;
  /** Text of the button that closes it. */
  done: string;
  /** Asked on Escape until then, with the text of the button that closes it all the same. */
  question: string;
  discard: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * Shows what will never be shown again. Escape asks for confirmation until there is a copy, and so does the browser
 * when the page is left.
 */
export function OnceDialog({ title, kept, done, question, discard, onClose, children }: OnceDialogProps) {
  const [confirming, setConfirming] = useState(false);
  useEffect(() => {
    if (kept) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [kept]);
  // The button with the focus is replaced by the one that now stands first.
  const first = useRef<HTMLButtonElement>(null);
  const asked = useRef(confirming);
  useEffect(() => {
    if (asked.current !== confirming) first.current?.focus();
    asked.current = confirming;
  }, [confirming]);
  return (
    <Dialog
      title={title}
      asks
      onClose={() => (kept ? onClose() : setConfirming(true))}
      footer={
        confirming && !kept ? (
          <>
            <p role="alert" className="mr-auto self-center">
              {question}
            </p>
            <Button ref={first} onClick={() => setConfirming(false)}>
              Keep it open
            </Button>
            <Button variant="danger" onClick={onClose}>
              {discard}
            </Button>
          </>
        ) : (
          <Button ref={first} variant="primary" onClick={onClose}>
            {done}
          </Button>
        )
      }
    >
      {children}
    </Dialog>
  );
}
