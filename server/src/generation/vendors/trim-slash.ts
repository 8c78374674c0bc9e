/** An address without slashes at its end. */
export function trimSlash(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, '')
}
