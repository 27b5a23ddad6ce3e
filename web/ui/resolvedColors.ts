/** Colors for what is drawn rather than styled. */
import { useEffect } from 'react';

/** Colors as CSS has them, such as `var(--color-bad)`, as the element shows them at present. */
export function resolvedColors<Name extends string>(
  element: HTMLElement,
  colors: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  // Tokens have a value for each theme, which only a real property resolves.
  const probe = element.appendChild(document.createElement('span'));
  const resolved = Object.fromEntries(
    Object.entries<string>(colors).map(([name, color]) => {
      probe.style.color = color;
      return [name, getComputedStyle(probe).color];
    }),
  );
  probe.remove();
  return resolved as Record<Name, string>;
}

/** When another theme was chosen, here or in the system. */
export function useThemeChange(changed: () => void): void {
  useEffect(() => {
    const chosen = new MutationObserver(changed);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', changed);
    return () => {
      chosen.disconnect();
      system.removeEventListener('change', changed);
    };
  }, [changed]);
}
