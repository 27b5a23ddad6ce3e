import { Dialog as Base } from '@base-ui/react/dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useCallback, useId, useRef, useState } from 'react';
import { buttonClasses } from '../Button.tsx';

interface DialogProps {
  title: ReactNode;
  /** Called on Escape, the close button and a click outside. */
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** A document to read, and to print. */
  wide?: boolean;
  /** A long form, with two columns where space allows. */
  large?: boolean;
  /**
   * Contains input, which a click outside must not discard. A double click can become one when the form changes its
   * height.
   */
  fills?: boolean;
  /** Requires an answer: no close button, no click outside. Escape still declines. */
  asks?: boolean;
  /** In progress and must not be left: nothing closes it, and elements shown above it stay usable. */
  held?: boolean;
  /** Where focus goes on closing; null, or without this: back to where it was. */
  returnTo?: () => HTMLElement | null;
}

/** Open while rendered. Focus moves in, is trapped, and returns on closing. */
export function Dialog({
  title,
  onClose,
  children,
  footer,
  wide = false,
  large = false,
  fills = false,
  asks = false,
  held = false,
  returnTo,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const id = useId();
  const [scrolls, setScrolls] = useState(false);
  const body = useCallback((element: HTMLDivElement) => {
    const observer = new ResizeObserver(() => setScrolls(element.scrollHeight > element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // The keyboard must be able to scroll it. A question keeps its focus on the safe answer.
  const region = scrolls && !asks ? { role: 'region', 'aria-labelledby': id, tabIndex: 0 } : null;
  return (
    <Base.Root
      open
      modal={!held}
      disablePointerDismissal={asks || fills || held}
      onOpenChange={(open) => !open && !held && onClose()}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Base.Viewport className="fixed inset-0 z-50 grid place-items-center p-3 sm:p-6">
          <Base.Popup
            ref={popup}
            // A confirmation focuses its safe answer; other dialogs focus no control, so that a key meant for the page
            // does nothing.
            initialFocus={asks ? true : popup}
            finalFocus={returnTo}
            role={asks ? 'alertdialog' : 'dialog'}
            data-document={wide || undefined}
            className={clsx(
              'flex max-h-full w-full animate-appear flex-col overflow-hidden rounded-card border border-line bg-raised shadow-float',
              wide ? 'h-full max-w-4xl' : large ? 'max-w-3xl' : 'max-w-md',
            )}
          >
            <header className="flex items-start justify-between gap-4 px-4 pt-4 sm:px-6">
              <Base.Title id={id} className="min-w-0 text-lg">
                {title}
              </Base.Title>
              {!asks && !held && (
                <Base.Close aria-label="Close" className={buttonClasses('quiet', '-mt-1 -mr-2')}>
                  <X aria-hidden="true" size={18} />
                </Base.Close>
              )}
            </header>
            <div
              ref={body}
              {...region}
              className={clsx('min-h-0 px-4 py-3 sm:px-6', wide ? 'flex flex-1 flex-col' : 'overflow-y-auto')}
            >
              {children}
            </div>
            {footer && (
              <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3 sm:px-6">
                {footer}
              </footer>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
