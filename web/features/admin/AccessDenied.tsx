import { Notice } from '../../ui/Notice.tsx';

/** Shown when admin rights were withdrawn while the page was open. */
export function AccessDenied() {
  return (
    <Notice tone="bad" title="Access Denied">
      <p>Admin privileges required to view this page</p>
    </Notice>
  );
}
