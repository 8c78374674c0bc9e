import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What a proxy may write for an address that it doesn't know; all of those count together. */
const unknownNetwork = 'unknown'

/** Whom limits count: an IPv4 address, or an IPv6 customer's /64 (RFC 6177), however written. */
export function callerNetwork(address: string): string {
  return firstGroups(address, 4)
}

/** The wider block around it, in which an address may change: IPv4 /24, IPv6 /48. */
export function networkBlock(address: string): string {
  return firstGroups(address, 3)
}

/** Whether a host's name, or its address as a URL has it, is that of this very machine. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/.test(hostname)
}

/** Of the four numbers of IPv4, or of the eight of IPv6. */
function firstGroups(address: string, count: number): string {
  if (isIP(address) === 0) return unknownNetwork
  // An IPv4 address that is mapped into IPv6 (RFC 4291, 2.5.5.2) is that one.
  const known = ipaddr.process(address)
  return known instanceof ipaddr.IPv4
    ? known.octets.slice(0, count).join('.')
    : known.parts
        .slice(0, count)
        .map((part) => part.toString(16))
        .join(':')
}
