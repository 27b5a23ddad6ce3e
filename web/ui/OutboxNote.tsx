/** Shown where emails are stored instead of sent. */
export function OutboxNote({ kept }: { kept: boolean }) {
  if (!kept) return null;
  return <p className="text-sm text-muted">This server doesn’t send email. Messages are saved in its outbox folder.</p>;
}
