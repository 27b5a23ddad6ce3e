import { type ReactNode, useContext, useMemo } from 'react';
import { ReactReduxContext } from 'react-redux';
import { isolated } from '../api/listeners.ts';

/**
 * Components subscribe to the store through a list of React Redux. Like Redux it skips the listeners after one that
 * throws, as React does after too many nested updates, and their part of the page would stand still until the next
 * change.
 */
export function IsolatedListeners({ children }: { children: ReactNode }) {
  const context = useContext(ReactReduxContext);
  const value = useMemo(() => {
    if (!context) return null;
    const { addNestedSub } = context.subscription;
    return {
      ...context,
      subscription: {
        ...context.subscription,
        addNestedSub: (listener: () => void) => addNestedSub(isolated(listener)),
      },
    };
  }, [context]);
  return <ReactReduxContext value={value}>{children}</ReactReduxContext>;
}
