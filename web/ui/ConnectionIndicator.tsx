import { clsx } from 'clsx';
import { Wifi, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Status } from './text/Status.tsx';

interface ConnectionIndicatorProps {
  state: 'connecting' | 'live' | 'offline';
  /** When the last row arrived, in ms since the epoch. */
  lastUpdate: number | null;
  /** While all is well, the icon stands alone. */
  brief?: boolean;
}

const PING_MS = 1000;

export function ConnectionIndicator({ state, lastUpdate, brief = false }: ConnectionIndicatorProps) {
  const [ping, setPing] = useState(false);
  useEffect(() => {
    if (lastUpdate === null) return;
    setPing(true);
    const timer = setTimeout(() => setPing(false), PING_MS);
    return () => clearTimeout(timer);
  }, [lastUpdate]);
  // Not said: the first connection, and attempts to connect.
  const [news, setNews] = useState('');
  useEffect(() => {
    if (state === 'offline') setNews('Live updates are interrupted.');
    if (state === 'live') setNews((before) => before && 'Live updates are back.');
  }, [state]);
  const live = state === 'live';
  const Icon = live ? Wifi : WifiOff;
  const text = live ? 'Live updates active' : state === 'offline' ? 'Offline' : 'Connecting';
  return (
    <span className={clsx('relative inline-flex items-center gap-1.5 text-sm', live ? 'text-good' : 'text-muted')}>
      <span className="relative">
        <Icon aria-hidden="true" size={14} />
        {live && ping && (
          <span
            aria-hidden="true"
            className="absolute inset-0 animate-ping motion-reduce:hidden rounded-full bg-good opacity-60"
          />
        )}
      </span>
      {brief && state !== 'offline' ? <span className="sr-only">{text}</span> : text}
      <Status>{news}</Status>
    </span>
  );
}
