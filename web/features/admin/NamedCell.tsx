import type { ReactNode } from 'react';
import { ROLES } from '../../ui/tableRoles.ts';

/** A cell of a table that becomes a list on narrow screens, where the name of its column is shown above it. */
export function NamedCell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <td {...ROLES.cell} className="text-sm tabular-nums">
      <span aria-hidden="true" className="block text-xs text-muted lg:hidden">
        {name}
      </span>
      {children}
    </td>
  );
}
