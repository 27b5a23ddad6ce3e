import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { buttonLook } from './Button.tsx';

export interface MenuChoice {
  readonly label: ReactNode;
  readonly onChoose: () => void;
  /** Stands for the state that is there already. */
  readonly disabled?: boolean;
}

interface MenuButtonProps {
  /** Read out; also shown unless there is `children`. */
  label: string;
  choices: readonly MenuChoice[];
  look?: 'secondary' | 'quiet';
  className?: string;
  children?: ReactNode;
}

/** A button that opens a list of commands: arrows, typing ahead and Escape as people know them. */
export function MenuButton({ label, choices, look = 'secondary', className, children }: MenuButtonProps) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger aria-label={children ? label : undefined} className={buttonLook(look, className)}>
        {children ?? label}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="z-50 outline-none">
          <Menu.Popup className="min-w-40 animate-appear rounded-card border border-line bg-raised p-1 shadow-float outline-none">
            {choices.map((choice, index) => (
              <Menu.Item
                // biome-ignore lint/suspicious/noArrayIndexKey: the choices of a menu stay in their places.
                key={index}
                disabled={choice.disabled ?? false}
                onClick={choice.onChoose}
                className="flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2 text-normal outline-none data-disabled:cursor-default data-disabled:opacity-60 data-highlighted:bg-inset data-highlighted:text-strong pointer-coarse:min-h-11"
              >
                {choice.label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
