/** A list with its first line checked off: what the product leaves you with. */
export function Logo() {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true" className="shrink-0 text-accent">
      <rect width="32" height="32" rx="7" fill="currentColor" />
      <g fill="none" stroke="var(--color-on-accent)" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round">
        <path d="M7 10.5l2.2 2.2L13 8.5" />
        <path d="M17 10.6h8M7.4 17h17.6M7.4 23.4h11" strokeOpacity="0.85" />
      </g>
    </svg>
  );
}
