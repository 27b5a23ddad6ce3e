import { Search } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { useTyped } from '../useTyped.ts';

export function EmailSearch({ value, onSearch }: { value: string; onSearch: (search: string) => void }) {
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
        label="Email begins with"
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
          look="quiet"
          onClick={() => {
            onSearch('');
            // The button is removed.
            field.current?.focus();
          }}
        >
          Show everybody
        </Button>
      )}
    </form>
  );
}
