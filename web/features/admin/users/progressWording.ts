import type { Tone } from '../../../ui/Notice.tsx';

export function completionTone(percentage: number): Tone {
  if (percentage >= 80) return 'good';
  if (percentage >= 50) return 'attention';
  return percentage >= 20 ? 'caution' : 'bad';
}

/** '45m', '2h 15m'. */
export function timeSavedText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${rest}m`;
  return rest === 0 ? `${hours}h` : `${hours}h ${rest}m`;
}
