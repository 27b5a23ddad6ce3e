import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { useRef } from 'react';
import { EMAIL_MAX_LENGTH } from '../../../src/model/limits.ts';
import { Button } from '../Button.tsx';
import { Field } from './Field.tsx';
import { useTyped } from './useTyped.ts';

export interface SearchFormProps {
  label: string;
  /** On the button that ends the search. */
  clear?: string;
  value: string;
  onSearch: (search: string) => void;
  className?: string;
}

/** Searches by the beginning of an email or a site. */
export function SearchForm({ label, clear = 'Show all', value, onSearch, className }: SearchFormProps) {
  const [text, setText] = useTyped(value);
  const field = useRef<HTMLInputElement>(null);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser knows the element.
    <form
      role="search"
      className={clsx('flex min-w-0 flex-wrap items-end gap-2 max-sm:w-full', className)}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <Field
        ref={field}
        label={label}
        type="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={EMAIL_MAX_LENGTH}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="min-w-0 flex-1 basis-48 sm:min-w-64"
      />
      <Button type="submit">
        <Search aria-hidden="true" size={14} />
        Search
      </Button>
      {value !== '' && (
        <Button
          variant="quiet"
          onClick={() => {
            onSearch('');
            // The button is removed.
            field.current?.focus();
          }}
        >
          {clear}
        </Button>
      )}
    </form>
  );
}
