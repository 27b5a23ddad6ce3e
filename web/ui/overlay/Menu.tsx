import { Menu as BaseMenu } from '@base-ui/react/menu';
import { type RefObject, useEffect, useRef } from 'react';
import type { MenuChoice } from './menuChoice.ts';

interface MenuProps {
  label: string;
  choices: readonly MenuChoice[];
  /** The element that opened it: the menu appears below, and focus returns there. */
  anchor: RefObject<HTMLElement | null>;
  /** Focuses the first choice at once. */
  onFirst: boolean;
  onClose: () => void;
}

/** An open menu with the usual keys: arrows, typeahead and Escape. */
export function Menu({ label, choices, anchor, onFirst, onClose }: MenuProps) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!onFirst) return;
    const frame = requestAnimationFrame(() =>
      popup.current?.querySelector<HTMLElement>('[role=menuitem]:not([aria-disabled=true])')?.focus(),
    );
    return () => cancelAnimationFrame(frame);
  }, [onFirst]);
  return (
    <BaseMenu.Root
      open
      modal={false}
      onOpenChange={(_, { event, reason }) => {
        // A press on the button that opened it is handled by that button.
        if (reason !== 'outside-press' || !anchor.current?.contains(event.target as Node)) onClose();
      }}
    >
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={anchor} sideOffset={4} align="end" className="z-50 outline-none">
          <BaseMenu.Popup
            ref={popup}
            aria-label={label}
            finalFocus={anchor}
            className="min-w-40 animate-appear rounded-card border border-line bg-raised p-1 shadow-float outline-none"
          >
            {choices.map((choice, index) => (
              <BaseMenu.Item
                // biome-ignore lint/suspicious/noArrayIndexKey: the choices of a menu stay in their places.
                key={index}
                disabled={choice.disabled ?? false}
                onClick={choice.onChoose}
                className="flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2 text-normal outline-none data-disabled:cursor-default data-disabled:opacity-60 data-highlighted:bg-inset data-highlighted:text-strong pointer-coarse:min-h-11"
              >
                {choice.label}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
