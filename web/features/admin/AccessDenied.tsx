import { Notice } from '../../ui/Notice.tsx';

/** Shown when admin rights were withdrawn while the page was open. `text`: the page has a sentence of its own. */
export function AccessDenied({ text }: { text?: string | undefined }) {
  if (text !== undefined) return <Notice tone="bad" title={text} />;
  return (
    <Notice tone="bad" title="Access Denied">
      <p>Admin privileges required to view this page</p>
    </Notice>
  );
}
