import { Component, type ReactNode } from 'react';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';

/** Keeps the header and a way on when a page breaks, or when a new version has replaced the parts it still needs. */
export class Crash extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <ErrorPanel
        title="This page could not be shown"
        text="It may have been updated since you opened it. Your data is safe."
        retryLabel="Reload the page"
        onRetry={() => location.reload()}
      />
    );
  }
}
