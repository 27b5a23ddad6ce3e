import { Search } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { useTyped } from './useTyped.ts';

interface PrefixSearchProps {
  label: string;
  /** On the button that ends the search. */
  clear: string;
  value: string;
  onSearch: (search: string) => void;
}

/** Searches by the beginning of an email or a site. */
export function PrefixSearch({ label, clear, value, onSearch }: PrefixSearchProps) {
  const [text, setText] = useTyped(value);
  const field = useRef<HTMLInputElement>(null);
  return (
    <form
      className="flex max-w-xl flex-wrap items-end gap-2"
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
        maxLength={254}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="min-w-0 flex-1 basis-48"
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
