/** Tells the time; passed in so that tests can set it. */
export type Clock = () => Date

/** The moment so many milliseconds from now, or before it where they are negative. */
export function fromNow({ clock }: { readonly clock: Clock }, ms: number): Date {
  return new Date(clock().getTime() + ms)
}
