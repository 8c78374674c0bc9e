import type { AddressInfo } from 'node:net'

/**
 * Where programs on the same machine reach one that listens there. An address to listen on is not always
 * one to call: `0.0.0.0` and `::` mean everywhere.
 */
export function localUrlOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return family === 'IPv6' && host.includes(':')
    ? `http://[${host}]:${port}`
    : `http://${host}:${port}`
}
