import { act, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ConnectionIndicator } from '../../../web/ui/ConnectionIndicator.tsx';

const pings = (container: HTMLElement): number => container.querySelectorAll('.animate-ping').length;

describe('the connection indicator', () => {
  it('flashes for a second with each update', () => {
    vi.useFakeTimers();
    const { container, rerender } = render(<ConnectionIndicator state="live" lastUpdate={null} />);
    expect(screen.getByText('Live updates active')).toHaveClass('text-good');
    expect(pings(container)).toBe(0);
    for (const lastUpdate of [1000, 2000]) {
      rerender(<ConnectionIndicator state="live" lastUpdate={lastUpdate} />);
      act(() => void vi.advanceTimersByTime(999));
      expect(pings(container)).toBe(1);
      act(() => void vi.advanceTimersByTime(1));
      expect(pings(container)).toBe(0);
    }
  });

  it('says only that the connection is lost and that it is back', () => {
    const { rerender } = render(<ConnectionIndicator state="connecting" lastUpdate={null} />);
    const said = (state: 'connecting' | 'live' | 'offline'): string | null => {
      rerender(<ConnectionIndicator state={state} lastUpdate={null} />);
      return screen.getByRole('status').textContent;
    };
    expect(said('live')).toBe('');
    expect(said('offline')).toBe('Live updates are interrupted.');
    expect(said('connecting')).toBe('Live updates are interrupted.');
    expect(said('live')).toBe('Live updates are back.');
  });

  it('is gray without a connection', () => {
    render(<ConnectionIndicator state="offline" lastUpdate={1000} />);
    expect(screen.getByText('Offline')).toHaveClass('text-muted');
  });
});
