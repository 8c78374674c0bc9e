/** A value behind the `#` of the address, as in `#key=…`; null where there is none. */
export function readFragment(name: 'key' | 'take'): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(name)
}

/** Takes what stands behind the `#` out of the address and the browser's history. */
export function forgetFragment(): void {
  history.replaceState(null, '', location.pathname)
}
