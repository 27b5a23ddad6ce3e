import { useIsSlowlyShown } from '../api/notShownYet.ts';
import { useServerUnavailable } from '../ui/lazily.ts';

/**
 * One line for all that is asked for again: above the dialogs, whose forms wait for it, and out of the way of
 * everything.
 */
export function NotShownYet() {
  const slow = useIsSlowlyShown();
  // Which has a notice of its own.
  const unavailable = useServerUnavailable();
  return (
    <div aria-live="polite">
      {slow && !unavailable && (
        <p
          role="status"
          className="pointer-events-none fixed inset-x-0 bottom-0 z-60 mx-auto w-fit rounded-t-control border border-b-0 border-line bg-raised px-3 text-sm text-normal shadow-float print:hidden"
        >
          This takes a moment to show up. Nothing is lost.
        </p>
      )}
    </div>
  );
}
