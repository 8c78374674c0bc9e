/** Fills `byteCount` unpredictable bytes; passed in so that tests can repeat themselves. */
export type RandomBytes = (byteCount: number) => Buffer
