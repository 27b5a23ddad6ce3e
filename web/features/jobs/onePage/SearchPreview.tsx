import { useEffect, useMemo, useState } from 'react';
import type { OnePage } from '../page/reportApi.ts';
import { Part } from './Part.tsx';
import { fitted } from './textWidth.ts';

/**
 * Widths at which Google cuts, in CSS pixels, and its fonts: estimates, since it publishes neither. A description has
 * two lines on a desktop, three on a phone.
 */
const SCREENS = {
  Desktop: { title: 580, description: 2 * 600 },
  Phone: { title: 2 * 328, description: 3 * 328 },
} as const;
type Screen = keyof typeof SCREENS;

const TITLE_FONT = '20px Arial, sans-serif';
const DESCRIPTION_FONT = '14px Arial, sans-serif';

/** How the page may look among search results, cut where it would be too wide. */
export function SearchPreview({ page }: { page: OnePage['page'] }) {
  const [screen, setScreen] = useState<Screen>('Desktop');
  const { host, path } = useMemo(() => addressOf(page.url), [page.url]);
  const room = SCREENS[screen];
  const title = useFitted(page.title || host, TITLE_FONT, room.title);
  const description = useFitted(page.description, DESCRIPTION_FONT, room.description);
  return (
    <Part title="Search result preview">
      <fieldset className="mb-3 flex gap-4 text-sm">
        <legend className="sr-only">Screen</legend>
        {(Object.keys(SCREENS) as Screen[]).map((each) => (
          <label key={each} className="flex min-h-8 items-center gap-1.5 pointer-coarse:min-h-11">
            <input type="radio" name="screen" checked={screen === each} onChange={() => setScreen(each)} />
            {each}
          </label>
        ))}
      </fieldset>
      <div
        className={`rounded-control border border-line bg-raised p-3 ${screen === 'Phone' ? 'max-w-90' : 'max-w-158'}`}
      >
        <p className="text-xs wrap-anywhere">
          {host} <span className="text-muted">{path}</span>
        </p>
        <p className="text-xl text-accent wrap-anywhere">{title.text}</p>
        <p className="text-sm wrap-anywhere">
          {description.text || <span className="text-muted">No description: Google picks text from the page.</span>}
        </p>
      </div>
      <ul className="mt-2 space-y-0.5 text-sm text-muted tabular-nums">
        <li>{page.title === '' ? 'No title' : widthText('Title', title.width, room.title, title.isCut)}</li>
        {page.description !== '' && (
          <li>{widthText('Description', description.width, room.description, description.isCut)}</li>
        )}
      </ul>
    </Part>
  );
}

const widthText = (name: string, width: number, room: number, isCut: boolean): string =>
  `${name}: about ${width} of ${room} pixels${isCut ? ', so its end may be cut' : ''}`;

function addressOf(url: string): { readonly host: string; readonly path: string } {
  if (!URL.canParse(url)) return { host: url, path: '' };
  const { host, pathname } = new URL(url);
  const parts = pathname.split('/').filter(Boolean);
  return { host, path: parts.map((part) => `› ${decoded(part)}`).join(' ') };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Measured once the page is shown; until then the whole text stands there. */
function useFitted(text: string, font: string, room: number) {
  const [result, setResult] = useState({ text, width: 0, isCut: false });
  useEffect(() => setResult(fitted(text, font, room)), [text, font, room]);
  return result;
}
