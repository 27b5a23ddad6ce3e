import '@testing-library/jest-dom/vitest';
import { cleanup, configure, getConfig } from '@testing-library/react';
import * as React from 'react';
import { afterEach, beforeEach, vi } from 'vitest';

// Waits end on their condition; the limit is for a busy machine that still has to transform a lazy page.
configure({ asyncUtilTimeout: 15_000 });

// While something is waited for, each look that does not find it would print the whole document. It is printed once,
// when the time is up.
const { getElementError } = getConfig();
configure({
  getElementError: (message, container) => {
    const waiting = (getConfig() as { readonly _disableExpensiveErrorDiagnostics?: boolean })
      ._disableExpensiveErrorDiagnostics;
    return waiting
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container);
  },
});

// React's development build captures a stack for each of the first 10,000 elements it creates in a second, a tenth of
// the time of these tests. None prints one, so the limit is made to look reached. The field is internal: without it,
// the tests only take longer.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as Record<
  string,
  object
>;
if (internals)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Number.MAX_SAFE_INTEGER,
    set: () => undefined,
  });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  document.title = '';
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

// jsdom has no layout: the few browser APIs that components need, with neutral answers.
window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  }) as MediaQueryList;

window.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

Element.prototype.getAnimations ??= () => [];
Element.prototype.scrollIntoView ??= () => undefined;
window.scrollTo = () => undefined;
