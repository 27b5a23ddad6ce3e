import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { type Ref, useEffect, useRef } from 'react';
import { INPUT_CLASSES } from '../../../../ui/form/Field.tsx';
import { useTyped } from '../../../../ui/form/useTyped.ts';

/** After the last key; Enter searches at once. */
const AFTER_MS = 300;
/** As long as the server takes. */
const MOST = 200;

interface SearchBoxProps {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (text: string) => void;
  ref: Ref<HTMLInputElement>;
}

/** Searches while it is filled in. */
export function SearchBox({ label, placeholder, value, onSearch, ref }: SearchBoxProps) {
  const [text, setText] = useTyped(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => latest.current(text.trim()), AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser knows the element.
    <form
      role="search"
      className="relative min-w-0 flex-1 basis-56 sm:max-w-sm"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <Search aria-hidden="true" size={14} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
      <input
        ref={ref}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={MOST}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className={clsx(INPUT_CLASSES, 'peer h-9 pr-8 pl-8 pointer-coarse:h-11')}
      />
      {text === '' && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 rounded-control border border-line px-1.5 text-xs text-muted peer-focus:hidden pointer-coarse:hidden"
        >
          /
        </span>
      )}
    </form>
  );
}
