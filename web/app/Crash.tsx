import { Component, type ReactNode } from 'react';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';

/**
 * Keeps the header and a way to continue when a page crashes, or when a new version has replaced the chunks it needs.
 */
export class Crash extends Component<{ children: ReactNode; page: string }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  /** Retries when the user navigates to another page. */
  override componentDidUpdate(before: { page: string }): void {
    if (this.state.failed && before.page !== this.props.page) this.setState({ failed: false });
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <ErrorPanel
        title="This page couldn’t be shown"
        text="The app may have been updated since you opened it. Your data is safe."
        retryLabel="Reload the page"
        onRetry={() => location.reload()}
      />
    );
  }
}
