import { Search } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';

export function EmailSearch({ value, onSearch }: { value: string; onSearch: (search: string) => void }) {
  const [text, setText] = useState(value);
  return (
    <form
      className="flex max-w-xl flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <Field
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
        <Button look="quiet" onClick={() => onSearch('')}>
          Show everybody
        </Button>
      )}
    </form>
  );
}
