import { Toast } from '@base-ui/react/toast';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { buttonLook } from './Button.tsx';

const TOAST_MS = 5000;

interface ToastText {
  readonly text: string;
  /** A failure is read out at once. */
  readonly bad?: boolean;
  readonly action?: { readonly label: string; readonly onClick: () => void };
}

/** Around what may say something in passing: each toast stays 5 s, longer while it is looked at, and F6 leads to it. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider timeout={TOAST_MS} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-3 bottom-3 z-40 flex flex-col gap-2 sm:right-6 sm:bottom-6 sm:left-auto sm:w-96 print:hidden">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['right', 'down']}
      className={clsx(
        'w-full animate-appear rounded-card border bg-raised p-3 shadow-float data-limited:hidden',
        toast.type === 'bad' ? 'border-bad-line' : 'border-line',
      )}
    >
      <Toast.Content className="flex items-center gap-2">
        <Toast.Description className={clsx('min-w-0 flex-1 [overflow-wrap:anywhere]', toast.type === 'bad' ? 'text-bad' : 'text-strong')} />
        {toast.actionProps && <Toast.Action className={buttonLook('quiet', 'font-medium text-accent')} />}
        <Toast.Close aria-label="Dismiss" className={buttonLook('quiet')}>
          <X aria-hidden="true" size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

/** One at a time of a kind: what is said next takes the place of what was said before. */
export function useToasts(): (kind: string, toast: ToastText | null) => void {
  const { add, close } = Toast.useToastManager();
  return useCallback(
    (kind, toast) => {
      if (!toast) return close(kind);
      const { text, bad = false, action } = toast;
      add({
        id: kind,
        description: text,
        type: bad ? 'bad' : 'plain',
        priority: bad ? 'high' : 'low',
        actionProps: action
          ? {
              children: action.label,
              onClick: () => {
                close(kind);
                action.onClick();
              },
            }
          : undefined,
      });
    },
    [add, close],
  );
}
