const RADIUS = 13;
const LENGTH = 2 * Math.PI * RADIUS;

function toneOf(score: number): string {
  return score >= 80 ? 'text-good' : score >= 50 ? 'text-attention' : 'text-bad';
}

/** The score as a number with its share of the ring around it. */
export function ScoreRing({ score, size = 32 }: { score: number; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" role="img" aria-label={`Score ${score} of 100`} className={`shrink-0 ${toneOf(score)}`}>
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
      <text x="16" y="16" textAnchor="middle" dominantBaseline="central" fontSize="11" fontWeight="600" fill="var(--color-strong)">
        {score}
      </text>
    </svg>
  );
}
