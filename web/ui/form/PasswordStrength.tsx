import { clsx } from 'clsx';
import { passwordStrength, type Strength } from './passwordStrength.ts';

const LEVELS: Record<Strength, { readonly bars: number; readonly text: string; readonly colour: string }> = {
  weak: { bars: 1, text: 'Weak: easy to guess', colour: 'bg-bad' },
  fair: { bars: 2, text: 'Fair: a few more characters would help', colour: 'bg-attention' },
  good: { bars: 3, text: 'Good', colour: 'bg-good' },
  strong: { bars: 4, text: 'Strong', colour: 'bg-good' },
};

export function PasswordStrength({ password }: { password: string }) {
  if (password === '') return <span>At least 6 characters. A short phrase works well.</span>;
  const { bars, text, colour } = LEVELS[passwordStrength(password)];
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className="flex gap-1">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} className={clsx('h-1 w-6 rounded-full', bar <= bars ? colour : 'bg-line')} />
        ))}
      </span>
      {text}
    </span>
  );
}
