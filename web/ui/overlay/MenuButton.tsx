import { type ReactNode, Suspense, useRef, useState } from 'react';
import { buttonClasses } from '../Button.tsx';
import { lazily } from '../lazily.ts';
import type { MenuChoice } from './menuChoice.ts';

interface MenuButtonProps {
  /** The accessible name; visible too unless there are `children`. */
  label: string;
  choices: readonly MenuChoice[];
  variant?: 'secondary' | 'quiet';
  className?: string;
  children?: ReactNode;
}

const loadMenu = () => import('./Menu.tsx');
const Menu = lazily(loadMenu, 'Menu');

/** A button with a menu. The menu is created on opening, as a page may have hundreds of these buttons. */
export function MenuButton({ label, choices, variant = 'secondary', className, children }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<'by mouse' | 'by keyboard' | null>(null);
  const expect = (): void => void loadMenu().catch(() => undefined);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={children ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={open !== null}
        className={buttonClasses(variant, className)}
        onPointerEnter={expect}
        onFocus={expect}
        // A click by keyboard has a `detail` of 0.
        onClick={({ detail }) => setOpen(open ? null : detail === 0 ? 'by keyboard' : 'by mouse')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpen('by keyboard');
        }}
      >
        {children ?? label}
      </button>
      {open && (
        <Suspense fallback={null}>
          <Menu
            label={label}
            choices={choices}
            anchor={button}
            onFirst={open === 'by keyboard'}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
    </>
  );
}
