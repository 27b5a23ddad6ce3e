import { useContext, useEffect, useRef } from 'react';
import type { AdminFigure } from '../../../src/model/adminLists.ts';
import { LiveChannels } from '../../api/live.ts';

/**
 * Calls `refresh` when one of the figures may have changed: the server sends at most one notice a second. Only one page
 * at a time may use it.
 */
export function useAdminChanges(figures: readonly AdminFigure[], refresh: () => void): void {
  const channels = useContext(LiveChannels);
  const latest = useRef({ figures, refresh });
  useEffect(() => {
    latest.current = { figures, refresh };
  });
  useEffect(
    () =>
      channels.follow({
        name: 'admin:changes',
        apply: (events) => {
          const changed = events.flatMap<unknown>(({ new: row }) => row?.changed ?? []);
          if (latest.current.figures.some((figure) => changed.includes(figure))) latest.current.refresh();
        },
        reload: () => latest.current.refresh(),
      }),
    [channels],
  );
}
