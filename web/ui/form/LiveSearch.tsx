import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { type Ref, useEffect, useRef, useState } from 'react';
import { INPUT_CLASSES } from './Field.tsx';

/** After the last key; Enter searches at once. */
const PAUSE_MS = 300;
/** As long as the server takes. */
const MOST = 200;

interface LiveSearchProps {
  label: string;
  placeholder?: string;
  value: string;
  onSearch: (words: string) => void;
  id?: string;
  ref?: Ref<HTMLInputElement>;
  className: string;
}

/** A search that goes on while it is typed, after each pause. */
export function LiveSearch({ label, placeholder = label, value, onSearch, id, ref, className }: LiveSearchProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  // Another search was chosen; the one that was sent from here leaves the field alone, which may have been typed in.
  if (value !== known) {
    setKnown(value);
    if (value !== sent) {
      setText(value);
      setSent(value);
    }
  }
  const send = (words: string): void => {
    setSent(words);
    onSearch(words);
  };
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  const words = text.trim();
  useEffect(() => {
    if (words === value) return;
    const timer = setTimeout(() => latest.current(words), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words, value]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser knows the element.
    <form
      role="search"
      className={clsx('relative', className)}
      onSubmit={(event) => {
        event.preventDefault();
        send(words);
      }}
    >
      <Search aria-hidden="true" size={14} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
      <input
        id={id}
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
        className={clsx(INPUT_CLASSES, 'peer h-8 pr-8 pl-8 pointer-coarse:h-11')}
      />
      {text === '' && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-control border border-line px-1.5 text-xs text-muted peer-focus:hidden pointer-coarse:hidden"
        >
          /
        </span>
      )}
    </form>
  );
}
