import { Dialog as Base } from '@base-ui/react/dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { buttonLook } from '../Button.tsx';

interface DialogProps {
  title: ReactNode;
  /** Closes on Escape, on the cross and on a click beside it. */
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
  /** A long form, in two columns where there is room. */
  large?: boolean;
  /** Something is being filled in: a click beside it, which a form that changes its height makes of a double click, does not throw that away. */
  fills?: boolean;
  /** Must be answered: no cross, no click beside it. Escape still declines. */
  asks?: boolean;
  /** Something is under way that must not be left: nothing closes it, and what others show above it can be used. */
  held?: boolean;
}

/** Open for as long as it is rendered. Focus goes in, stays in, and returns to where it was. */
export function Dialog({ title, onClose, children, footer, wide = false, large = false, fills = false, asks = false, held = false }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open modal={!held} disablePointerDismissal={asks || fills || held} onOpenChange={(open) => !open && !held && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Base.Viewport className="fixed inset-0 z-50 grid place-items-center p-3 sm:p-6">
          <Base.Popup
            ref={popup}
            // A question begins at its harmless answer; what comes unasked begins nowhere, so that a key meant for the page does nothing.
            initialFocus={asks ? true : popup}
            role={asks ? 'alertdialog' : 'dialog'}
            className={clsx(
              'flex max-h-full w-full animate-appear flex-col overflow-hidden rounded-card border border-line bg-raised shadow-float',
              wide ? 'h-full max-w-4xl' : large ? 'max-w-3xl' : 'max-w-md',
            )}
          >
            <header className="flex items-start justify-between gap-4 px-4 pt-4 sm:px-6">
              <Base.Title className="min-w-0 text-lg">{title}</Base.Title>
              {!asks && !held && (
                <Base.Close aria-label="Close" className={buttonLook('quiet', '-mt-1 -mr-2')}>
                  <X aria-hidden="true" size={18} />
                </Base.Close>
              )}
            </header>
            <div className={clsx('min-h-0 px-4 py-3 sm:px-6', wide ? 'flex flex-1 flex-col' : 'overflow-y-auto')}>{children}</div>
            {footer && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3 sm:px-6">{footer}</footer>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
