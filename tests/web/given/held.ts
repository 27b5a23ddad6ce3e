/** An answer that is held back until it is released: `server.on(route, () => slow.answer)`. */
export interface Held<Value> {
  readonly answer: Promise<Value>;
  readonly letGo: () => void;
}

export function held<Value>(value: Value): Held<Value> {
  let letGo = (): void => undefined;
  const answer = new Promise<Value>((resolve) => {
    letGo = () => resolve(value);
  });
  return { answer, letGo: () => letGo() };
}
