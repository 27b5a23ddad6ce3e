import type { ReactNode } from 'react';
import { Button } from '../Button.tsx';

interface RestProps {
  query: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; readonly fetchNextPage: () => unknown };
  /** On what is missing, if anything is. */
  children?: ReactNode;
}

/** Below a list: its next page. */
export function Rest({ query, children }: RestProps) {
  return (
    <>
      {children && <p className="border-t border-line px-4 py-3 text-sm text-muted">{children}</p>}
      {query.hasNextPage && (
        <div className="border-t border-line p-2 text-center">
          <Button variant="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  );
}

/** The rows of all pages that are loaded. */
export const rowsIn = <Row,>({
  pages,
}: {
  readonly pages: readonly { readonly data: readonly Row[] }[];
}): readonly Row[] => pages.flatMap(({ data }) => data);
