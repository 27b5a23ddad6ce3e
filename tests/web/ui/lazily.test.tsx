/** Lazily loaded parts of the app during an outage. */
import { act, fireEvent, render, screen } from '@testing-library/react';
import { type ComponentType, type ReactNode, Suspense, startTransition, useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Crash } from '../../../web/app/Crash.tsx';
import { ServerAway } from '../../../web/app/Layout.tsx';
import { lazily } from '../../../web/ui/lazily.ts';

let serverIsUp: boolean;

beforeEach(() => {
  serverIsUp = false;
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => {
    if (!serverIsUp) throw new TypeError('Failed to fetch');
    return new Response('{}');
  });
});

function app(Next: ComponentType) {
  function App() {
    const [opened, setOpened] = useState(false);
    return (
      <Crash page="/">
        <ServerAway />
        <Suspense fallback={<p>Loading</p>}>
          {opened ? <Next /> : <p>Recent Jobs</p>}
          <button type="button" onClick={() => startTransition(() => setOpened(true))}>
            Open report
          </button>
        </Suspense>
      </Crash>
    );
  }
  render(<App />);
}

const Report = (): ReactNode => <p>The report</p>;

const BANNER = 'The server isn’t responding. We’ll continue as soon as it’s back.';

describe('a screen that was not loaded yet', () => {
  it('keeps the current page during an outage, says so, and opens automatically when the server is back', async () => {
    const load = vi.fn(async () => {
      if (!serverIsUp) throw new TypeError('Failed to fetch dynamically imported module');
      return { Report };
    });
    app(lazily(load, 'Report'));
    fireEvent.click(screen.getByRole('button', { name: 'Open report' }));
    await act(() => vi.advanceTimersByTimeAsync(10));
    expect(screen.getByText(BANNER)).toBeVisible();
    expect(screen.getByText('Recent Jobs')).toBeVisible();
    expect(screen.queryByText('This page couldn’t be shown')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(screen.getByText('Recent Jobs')).toBeVisible();
    serverIsUp = true;
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(screen.getByText('The report')).toBeVisible();
    expect(screen.queryByText(BANNER)).toBeNull();
  });

  it('opens together with any other that waits for the server', async () => {
    const load = async () => {
      if (!serverIsUp) throw new TypeError('Failed to fetch dynamically imported module');
      return { Report };
    };
    app(lazily(load, 'Report'));
    fireEvent.click(screen.getByRole('button', { name: 'Open report' }));
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    const Summary = lazily(load, 'Report');
    render(
      <Suspense fallback={<p>Loading the summary</p>}>
        <Summary />
      </Suspense>,
    );
    await act(() => vi.advanceTimersByTimeAsync(900));
    expect(screen.getByText('Loading the summary')).toBeVisible();
    serverIsUp = true;
    await act(() => vi.advanceTimersByTimeAsync(200));
    expect(screen.getAllByText('The report')).toHaveLength(2);
    expect(screen.queryByText(BANNER)).toBeNull();
  });

  it('that the server no longer has is reported as such', async () => {
    serverIsUp = true;
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    app(lazily(() => Promise.reject<{ Report: () => ReactNode }>(new TypeError('404')), 'Report'));
    fireEvent.click(screen.getByRole('button', { name: 'Open report' }));
    await act(() => vi.advanceTimersByTimeAsync(10));
    expect(screen.getByText('This page couldn’t be shown')).toBeVisible();
  });
});
