import { type ReactNode, useRef } from 'react';
import { ROLES } from '../tableRoles.ts';
import { useWindowRows } from './useWindowRows.ts';

/** As most rows are; the others are measured when they come near. */
const ROW_HEIGHT = 57;

/**
 * The rows of a long table that are near the window. Each has a group of its own, as its details belong to its height.
 */
export function VirtualRows({ ids, draw }: { ids: readonly string[]; draw: (index: number) => ReactNode }) {
  const start = useRef<HTMLTableSectionElement>(null);
  const { virtual, placeOf } = useWindowRows({ keys: ids, estimate: ROW_HEIGHT, list: start });
  return (
    <>
      {virtual.getVirtualItems().map((item) => (
        <tbody key={item.key} {...ROLES.group} {...placeOf(item)}>
          {draw(item.index)}
        </tbody>
      ))}
      {/* After the rows, which take no space: they begin where it does. */}
      <tbody ref={start} role="presentation" className="block" style={{ height: virtual.getTotalSize() }} />
    </>
  );
}
