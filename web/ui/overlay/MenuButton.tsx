import { type ReactNode, Suspense, useRef, useState } from 'react';
import { buttonLook } from '../Button.tsx';
import { lazily } from '../lazily.ts';
import type { MenuChoice } from './menuChoice.ts';

interface MenuButtonProps {
  /** Read out; also shown unless there is `children`. */
  label: string;
  choices: readonly MenuChoice[];
  look?: 'secondary' | 'quiet';
  className?: string;
  children?: ReactNode;
}

const loadMenu = () => import('./Menu.tsx');
const Menu = lazily(loadMenu, 'Menu');

/** A button that opens a list of commands. The list is made when it is asked for: a page may have hundreds of these buttons. */
export function MenuButton({ label, choices, look = 'secondary', className, children }: MenuButtonProps) {
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
        className={buttonLook(look, className)}
        onPointerEnter={expect}
        onFocus={expect}
        // Keys count no clicks.
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
          <Menu label={label} choices={choices} anchor={button} onFirst={open === 'by keyboard'} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  );
}
