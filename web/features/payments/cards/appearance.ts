/** The provider's fields in this app's colors. They are in iframes, which do not inherit our CSS variables. */
import type { Appearance } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';

const COLORS = {
  colorPrimary: '--color-accent',
  colorBackground: '--color-card',
  colorText: '--color-strong',
  colorTextSecondary: '--color-muted',
  colorTextPlaceholder: '--color-muted',
  colorDanger: '--color-bad',
} as const;

/** Follows the app's theme and the system's. */
export function useAppearance(): Appearance {
  const [appearance, setAppearance] = useState(appearanceNow);
  useEffect(() => {
    const follow = (): void => setAppearance(appearanceNow());
    const chosen = new MutationObserver(follow);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const computer = window.matchMedia('(prefers-color-scheme: dark)');
    computer.addEventListener('change', follow);
    return () => {
      chosen.disconnect();
      computer.removeEventListener('change', follow);
    };
  }, []);
  return appearance;
}

function appearanceNow(): Appearance {
  const dark = isDark();
  return {
    theme: dark ? 'night' : 'stripe',
    labels: 'above',
    variables: {
      ...colorsNow(),
      borderRadius: '6px',
      fontFamily: 'Inter, system-ui, sans-serif',
      fontSizeBase: '14px',
      spacingUnit: '4px',
    },
  };
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Current values of the color tokens: each is `light-dark(…)`, which only the browser resolves. */
function colorsNow(): Record<string, string> {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colors = Object.entries(COLORS).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(colors.filter(([, color]) => color !== ''));
}
