import { clsx } from 'clsx';
import { ListFilter, Maximize2, Minimize2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { Button, buttonClasses } from '../../../../ui/Button.tsx';
import { LiveSearch } from '../../../../ui/form/LiveSearch.tsx';
import { singleKeysOff } from '../../../../ui/singleKeys.ts';
import { type Facet, FacetChips } from './FacetChips.tsx';
import { changed } from './tableAddress.ts';

interface TableFrameProps {
  /** What its rows are, as `Pages`. */
  name: string;
  /** Where its search looks. */
  placeholder: string;
  facets: readonly Facet[];
  /** Names in the address that filter beside the facets and the search. */
  filters: readonly string[];
  /** How many rows there are. */
  number: string;
  /** Beside the search. */
  tools?: ReactNode;
  busy: boolean;
  /** Between the filters and the rows. */
  notice?: ReactNode;
  /** `full`: it fills the window. */
  children: (full: boolean) => ReactNode;
}

/** Around a table: its search, its filters, its number of rows, and the whole window on request. */
export function TableFrame(props: TableFrameProps) {
  const { name, placeholder, facets, filters, number, tools, busy, notice, children } = props;
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const frame = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [full, setFull] = useState(false);
  const [open, setOpen] = useState(false);
  useWholeWindow(frame, full);
  const names = [...facets.map((facet) => facet.name), ...filters];
  const active = names.filter((each) => search.has(each)).length;
  const onKeyDown = (event: KeyboardEvent): void => {
    // Dialogs are elsewhere in the document, though their events arrive here.
    if (!(event.target instanceof HTMLElement) || !frame.current?.contains(event.target)) return;
    if (event.key === 'Escape' && full) setFull(false);
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || singleKeysOff()) return;
    if (event.target.matches('input, select, textarea')) return;
    event.preventDefault();
    field.current?.focus();
  };
  const Size = full ? Minimize2 : Maximize2;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key for whatever in it has the focus.
    <div
      ref={frame}
      aria-busy={busy}
      onKeyDown={onKeyDown}
      className={clsx('flex flex-col gap-3', full && 'fixed inset-0 z-40 bg-page p-3 sm:p-4')}
    >
      <div className="flex flex-wrap items-center gap-2">
        <LiveSearch
          className="min-w-0 flex-1 basis-56 sm:max-w-sm"
          ref={field}
          label={`Search ${name.toLowerCase()}`}
          placeholder={placeholder}
          value={search.get('search') ?? ''}
          onSearch={(text) => navigate(changed(search, { search: text }), { replace: true })}
        />
        <Button className="sm:hidden" aria-expanded={open} onClick={() => setOpen(!open)}>
          <ListFilter aria-hidden="true" size={14} />
          Filters{active > 0 && ` (${active})`}
        </Button>
        <div className="flex min-h-8 flex-wrap items-center gap-x-2 text-sm">
          <p role="status" className="text-muted tabular-nums">
            {number}
          </p>
          {(active > 0 || search.has('search')) && (
            <Link
              to={changed(search, Object.fromEntries([...names, 'search'].map((each) => [each, null])))}
              replace
              className={buttonClasses('quiet', 'text-sm')}
            >
              Clear filters
            </Link>
          )}
        </div>
        <div className="ml-auto flex flex-wrap items-center gap-1">
          {tools}
          <Button variant="quiet" onClick={() => setFull(!full)}>
            <Size aria-hidden="true" size={14} />
            <ToolName>{full ? 'Exit full screen' : 'Full screen'}</ToolName>
          </Button>
        </div>
      </div>
      <div className={open ? undefined : 'max-sm:hidden'}>
        <FacetChips label={`Filter ${name.toLowerCase()}`} facets={facets} />
      </div>
      {notice}
      {children(full)}
    </div>
  );
}

/** Of a button with an icon, which is all that a phone has space for. */
export const ToolName = ({ children }: { children: string }) => <span className="max-sm:sr-only">{children}</span>;

/** What is behind an element that fills the window can be neither reached nor scrolled. */
function useWholeWindow(frame: { readonly current: HTMLElement | null }, full: boolean): void {
  useEffect(() => {
    if (!full) return;
    const behind: Element[] = [];
    // Up to the app: dialogs and menus are beside it.
    for (let at = frame.current; at?.parentElement && at.parentElement !== document.body; at = at.parentElement)
      for (const other of at.parentElement.children)
        if (other !== at && !other.hasAttribute('inert')) behind.push(other);
    for (const element of behind) element.setAttribute('inert', '');
    document.documentElement.style.overflow = 'hidden';
    return () => {
      for (const element of behind) element.removeAttribute('inert');
      document.documentElement.style.overflow = '';
    };
  }, [frame, full]);
}
