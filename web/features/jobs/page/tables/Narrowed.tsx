import { X } from 'lucide-react';
import { Link } from 'react-router-dom';
import { addressText } from '../addressText.ts';
import { changed } from './tableAddress.ts';

interface NarrowedProps {
  search: URLSearchParams;
  /** Names in the address. `without`: what there is once it is taken back. */
  ends: readonly { readonly name: string; readonly text: string; readonly without: string }[];
}

/** What narrows a table to one page or folder, to take it back. */
export function Narrowed({ search, ends }: NarrowedProps) {
  return ends.map(({ name, text, without }) => {
    const url = search.get(name);
    if (url === null) return null;
    return (
      <p
        key={name}
        className="flex items-center gap-3 rounded-control border border-line bg-card py-1 pr-1 pl-3 text-sm"
      >
        <span className="min-w-0 wrap-anywhere">
          {text} <span className="font-mono">{addressText(url, 80)}</span>
        </span>
        <Link
          to={changed(search, { [name]: null })}
          replace
          aria-label={without}
          className="ml-auto grid size-8 shrink-0 place-items-center rounded-control hover:bg-inset pointer-coarse:size-11"
        >
          <X aria-hidden="true" size={14} />
        </Link>
      </p>
    );
  });
}
