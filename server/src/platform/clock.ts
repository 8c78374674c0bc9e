/** Tells the time; passed in so that tests can set it. */
export type Clock = () => Date
