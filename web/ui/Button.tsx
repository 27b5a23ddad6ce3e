import { clsx } from 'clsx';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { Spinner } from './Spinner.tsx';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';

const VARIANTS: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover font-medium px-4',
  secondary: 'border border-line-strong/60 bg-card text-strong hover:bg-inset px-3',
  quiet: 'text-normal hover:bg-inset hover:text-strong px-2',
  danger: 'text-bad hover:bg-bad-soft px-2',
};

export function buttonClasses(variant: Variant, className?: string): string {
  return clsx(
    'inline-flex min-h-8 pointer-coarse:min-h-11 items-center justify-center gap-1.5 rounded-control whitespace-nowrap transition-colors duration-150 disabled:opacity-60 aria-disabled:opacity-60',
    VARIANTS[variant],
    className,
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant;
  /** In progress: keeps its width, shows a spinner, and ignores clicks. */
  busy?: boolean;
  /**
   * Nothing to do at present: ignores clicks, but keeps the focus, unlike `disabled`. For a button whose own click can
   * bring this about.
   */
  inactive?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant = 'secondary',
  busy = false,
  inactive = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const off = busy || inactive;
  return (
    <button
      {...rest}
      type={type}
      // Not `disabled`, which would lose keyboard focus.
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      className={buttonClasses(variant, clsx(busy && 'cursor-progress', className))}
      onClick={(event) => (off ? event.preventDefault() : onClick?.(event))}
    >
      {busy && <Spinner small />}
      {children}
    </button>
  );
}
