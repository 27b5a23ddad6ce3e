import { NOT_JUDGED, wholeScore } from '../../src/model/scores.ts';
import { scoreWord } from './scoreWord.ts';

const RADIUS = 13;
const LENGTH = 2 * Math.PI * RADIUS;

const TONES = { Good: 'text-good', Fair: 'text-attention', Poor: 'text-bad' } as const;

/** The score as a number in a ring filled to match; `word` adds its rating. */
export function ScoreRing({ score: exact, size = 32, word = false }: { score: number; size?: number; word?: boolean }) {
  const score = wholeScore(exact);
  const judged = scoreWord(score);
  const ring = (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      role="img"
      aria-label={`Score ${score} of 100`}
      className={`shrink-0 ${TONES[judged]}`}
    >
      <circle cx="16" cy="16" r={RADIUS} fill="none" stroke="var(--color-line)" strokeWidth="3" />
      <circle
        cx="16"
        cy="16"
        r={RADIUS}
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray={`${(score / 100) * LENGTH} ${LENGTH}`}
        transform="rotate(-90 16 16)"
      />
      <text
        x="16"
        y="16"
        textAnchor="middle"
        dominantBaseline="central"
        fontSize="11"
        fontWeight="600"
        fill="var(--color-strong)"
      >
        {score}
      </text>
    </svg>
  );
  if (!word) return ring;
  return (
    <span className="flex shrink-0 flex-col items-center">
      {ring}
      <span className={`text-sm font-medium ${TONES[judged]}`}>{judged}</span>
    </span>
  );
}

/** In place of the ring of a site that was not judged: never a number. */
export function NotJudged({ size = 32 }: { size?: number }) {
  return (
    <span
      style={size > 40 ? { width: size, height: size } : undefined}
      className={`flex shrink-0 items-center justify-center text-center text-sm font-medium text-muted ${size > 40 ? 'rounded-full border-2 border-line leading-tight' : ''}`}
    >
      {NOT_JUDGED}
    </span>
  );
}
