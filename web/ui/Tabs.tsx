import { Tabs as Base } from '@base-ui/react/tabs';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';

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
  panelClassName?: string;
  aside?: ReactNode;
}

/** A row of tabs over one panel that shows what the chosen one stands for. */
export function Tabs({ label, value, choices, onChange, children, className, panelClassName, aside }: TabsProps) {
  return (
    <Base.Root value={value} onValueChange={(next) => typeof next === 'string' && onChange(next)} className={className}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Base.List aria-label={label} className="-mx-1 flex max-w-full gap-1 overflow-x-auto px-1 py-1">
          {choices.map((choice) => (
            <Base.Tab
              key={choice.value}
              value={choice.value}
              className={clsx(
                'inline-flex min-h-8 shrink-0 items-center gap-1.5 rounded-control px-2.5 text-sm whitespace-nowrap transition-colors duration-150 pointer-coarse:min-h-11',
                choice.value === value ? 'bg-accent-soft font-medium text-accent' : 'text-normal hover:bg-inset',
              )}
            >
              {choice.label}
            </Base.Tab>
          ))}
        </Base.List>
        {aside}
      </div>
      <Base.Panel value={value} className={panelClassName}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
