import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from './Button.tsx';
import { chooseTheme, currentTheme, THEMES } from './theme.ts';

const ICONS = { system: Monitor, light: Sun, dark: Moon };

export function ThemeToggle() {
  const [theme, setTheme] = useState(currentTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const Icon = ICONS[theme];
  return (
    <Button
      variant="quiet"
      aria-label={`Theme: ${theme}. Switch to ${next}`}
      title={`Theme: ${theme}`}
      onClick={() => {
        chooseTheme(next);
        setTheme(next);
      }}
    >
      <Icon aria-hidden="true" size={16} />
    </Button>
  );
}
