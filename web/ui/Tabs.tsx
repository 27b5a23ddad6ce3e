import { clsx } from 'clsx';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';

export interface TabChoice {
  readonly value: string;
  readonly label: ReactNode;
}

interface TabsProps {
  label: string;
  value: string;
  choices: readonly TabChoice[];
  onChange: (value: string) => void;
  children: ReactNode;
  className?: string;
  listClassName?: string;
  panelClassName?: string;
  aside?: ReactNode;
  /** Stays on one line and scrolls horizontally. */
  scrolls?: boolean;
}

/** A tab list with one panel for the selected tab. A single Tab stop; arrows, Home and End select. */
export function Tabs({
  label,
  value,
  choices,
  onChange,
  children,
  className,
  listClassName,
  panelClassName,
  aside,
  scrolls = false,
}: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = choices.findIndex((choice) => choice.value === value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen tab comes into view, wherever it was chosen.
  useEffect(() => {
    // Measuring forces a layout of the whole page, so only where needed.
    if (!scrolls) return;
    const row = list.current;
    const tab = row?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!row || !tab) return;
    if (tab.offsetLeft < row.scrollLeft || tab.offsetLeft + tab.offsetWidth > row.scrollLeft + row.clientWidth)
      row.scrollLeft = tab.offsetLeft - 24;
  }, [value]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, Home: 0, End: choices.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + choices.length) % choices.length;
    onChange(choices[index]?.value ?? value);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  };
  return (
    <div className={className}>
      <div
        className={clsx('flex flex-wrap items-center justify-between gap-2', aside && 'xl:flex-nowrap', listClassName)}
      >
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          onKeyDown={onKeyDown}
          className={clsx(
            'relative -mx-1 flex max-w-full gap-1 px-1 py-1',
            scrolls ? 'overflow-x-auto' : 'flex-wrap',
            // What is beside the tabs gives way, so that their numbers, which may come late, move nothing.
            aside && 'xl:shrink-0',
          )}
        >
          {choices.map((choice) => (
            <button
              key={choice.value}
              type="button"
              role="tab"
              id={`${id}-${choice.value}`}
              aria-selected={choice.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={choice.value === value ? 0 : -1}
              onClick={() => onChange(choice.value)}
              className={clsx(
                'inline-flex min-h-8 shrink-0 items-center gap-1.5 rounded-control px-2 text-sm sm:px-2.5 whitespace-nowrap transition-colors duration-150 pointer-coarse:min-h-11',
                choice.value === value ? 'bg-accent-soft font-medium text-accent' : 'text-normal hover:bg-inset',
              )}
            >
              {choice.label}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the panel is where the keyboard goes on from its tab, and it may scroll.
        tabIndex={0}
        className={panelClassName}
      >
        {children}
      </div>
    </div>
  );
}
