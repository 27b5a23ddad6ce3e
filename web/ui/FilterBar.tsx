import type { ReactNode } from 'react';
import { SearchForm, type SearchFormProps } from './form/SearchForm.tsx';
import { Tabs } from './Tabs.tsx';
import { grouped } from './text/wording.ts';

interface FilterBarProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly {
    readonly value: Value;
    readonly name: string;
    /** Of rows; absent where it is unknown. */
    readonly number?: number | undefined;
  }[];
  onChange: (value: Value) => void;
  /** A search beside the filters. */
  search?: SearchFormProps;
  /** The rows. */
  children: ReactNode;
}

/** Above a list: which of its rows are shown. */
export function FilterBar<Value extends string>({
  label,
  value,
  choices,
  onChange,
  search,
  children,
}: FilterBarProps<Value>) {
  return (
    <Tabs
      label={label}
      value={value}
      choices={choices.map((choice) => ({
        value: choice.value,
        label: (
          <>
            {choice.name}{' '}
            {choice.number !== undefined && (
              <span className="text-xs tabular-nums opacity-90">{grouped(choice.number)}</span>
            )}
          </>
        ),
      }))}
      onChange={(next) => onChange(next as Value)}
      className="mt-1"
      listClassName="px-3"
      panelClassName="mt-1"
      aside={search && <SearchForm {...search} />}
    >
      {children}
    </Tabs>
  );
}
