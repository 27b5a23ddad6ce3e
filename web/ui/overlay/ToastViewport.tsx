import { Toast } from '@base-ui/react/toast';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { buttonClasses } from '../Button.tsx';
import type { ToastEntry } from './toast.ts';

const TOAST_MS = 5000;

interface ToastViewportProps {
  entries: readonly ToastEntry[];
  /** Called with the number of entries processed. */
  onShown: (count: number) => void;
}

/** Each toast stays 5 s, longer while hovered or focused, and F6 moves focus to it. */
export function ToastViewport(props: ToastViewportProps) {
  return (
    <Toast.Provider timeout={TOAST_MS} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-3 bottom-3 z-40 flex flex-col gap-2 sm:right-6 sm:bottom-6 sm:left-auto sm:w-96 print:hidden">
          <List {...props} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List({ entries, onShown }: ToastViewportProps) {
  const { toasts, add, close } = Toast.useToastManager();
  useEffect(() => {
    if (entries.length === 0) return;
    // Only the last of a kind counts: what was refused while this was loading is not shown as done.
    for (const [kind, toast] of new Map(entries.map((entry) => [entry.kind, entry.toast]))) {
      if (!toast) {
        close(kind);
        continue;
      }
      const { text, bad = false, action } = toast;
      const pressed = (): void => {
        close(kind);
        action?.onClick();
      };
      add({
        id: kind,
        description: text,
        type: bad ? 'bad' : 'plain',
        priority: bad ? 'high' : 'low',
        actionProps: action ? { children: action.label, onClick: pressed } : undefined,
      });
    }
    onShown(entries.length);
  }, [entries, onShown, add, close]);
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      // Its text describes it.
      aria-label={toast.type === 'bad' ? 'Error' : 'Notification'}
      swipeDirection={['right', 'down']}
      className={clsx(
        'w-full animate-appear rounded-card border bg-raised p-3 shadow-float data-limited:hidden',
        toast.type === 'bad' ? 'border-bad-line' : 'border-line',
      )}
    >
      <Toast.Content className="flex items-center gap-2">
        <Toast.Description
          className={clsx('min-w-0 flex-1 wrap-anywhere', toast.type === 'bad' ? 'text-bad' : 'text-strong')}
        />
        {toast.actionProps && <Toast.Action className={buttonClasses('quiet', 'font-medium text-accent')} />}
        <Toast.Close aria-label="Dismiss" className={buttonClasses('quiet')}>
          <X aria-hidden="true" size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
