/** What this browser remembers of tables: their columns, and views by name. */

const COLUMNS = 'pages_columns';
const VIEWS = 'pages_views';

export interface SavedView {
  readonly name: string;
  /** As in the address: filters, columns, and order. */
  readonly query: string;
}

/** Names of columns, separated by commas; null: as usual. */
export const keptColumns = (): string | null => read(COLUMNS);
export const keepColumns = (columns: string | null): void => write(COLUMNS, columns);

export function savedViews(): readonly SavedView[] {
  try {
    const views: unknown = JSON.parse(read(VIEWS) ?? '[]');
    return Array.isArray(views) ? views.filter(isView) : [];
  } catch {
    return [];
  }
}

/** One with the same name is replaced. */
export function saveView(view: SavedView): readonly SavedView[] {
  return setViews([...savedViews().filter(({ name }) => name !== view.name), view]);
}

export function removeView(name: string): readonly SavedView[] {
  return setViews(savedViews().filter((view) => view.name !== name));
}

function setViews(views: readonly SavedView[]): readonly SavedView[] {
  write(VIEWS, views.length > 0 ? JSON.stringify(views) : null);
  return views;
}

const isView = (value: unknown): value is SavedView =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<SavedView>).name === 'string' &&
  typeof (value as Partial<SavedView>).query === 'string';

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage is blocked: it is not remembered.
  }
}
