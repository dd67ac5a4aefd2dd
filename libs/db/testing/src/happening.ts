/** Something that happens once, for which others wait. */
export function happening(): { promise: Promise<void>; happens: () => void } {
  let happens: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (happens = resolve));
  return { promise, happens };
}
