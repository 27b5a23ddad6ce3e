/** How many rounds the event loop made while something ran: as often could anything else have had its turn. */
export async function roundsDuring(work: () => Promise<unknown>): Promise<number> {
  let rounds = 0;
  let isOver = false;
  const count = (): void => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return rounds;
}
