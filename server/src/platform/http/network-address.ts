import { isIP } from 'node:net'

/** What a proxy may write for an address that it doesn't know; all of those count together. */
const unknownNetwork = 'unknown'

/**
 * Where a caller is in the network, as limits count: an IPv4 address, or the /64 that an IPv6
 * customer has to choose addresses from (RFC 6177). However an address is written, the result is
 * the same.
 */
export function callerNetwork(address: string): string {
  return ipv4Of(address) ?? ipv6Network(address, 4)
}

/** The wider block around it, in which an address may change: IPv4 /24, IPv6 /48. */
export function networkBlock(address: string): string {
  const ipv4 = ipv4Of(address)
  if (ipv4 !== undefined) return ipv4.slice(0, ipv4.lastIndexOf('.'))
  return ipv6Network(address, 3)
}

/** Also of an address that is mapped into IPv6 (RFC 4291, 2.5.5.2). */
function ipv4Of(address: string): string | undefined {
  const dotted = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (dotted !== undefined) return isIP(dotted) === 4 ? dotted : undefined
  const groups = isIP(address) === 6 ? ipv6Groups(address) : []
  if (groups.length !== 8 || groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff])
    .join('.')
}

function ipv6Network(address: string, groups: number): string {
  if (isIP(address) !== 6) return unknownNetwork
  return ipv6Groups(address).slice(0, groups).join(':')
}

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
function ipv6Groups(address: string): string[] {
  const [plain = ''] = address.toLowerCase().split('%')
  const [head = '', tail] = plain.replace(/\d+\.\d+\.\d+\.\d+$/, lastGroups).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return groups.map((group) => group.replace(/^0+(?=.)/, ''))
}

/** An IPv4 address at the end of an IPv6 one, as its two groups (RFC 4291, 2.2). */
function lastGroups(dotted: string): string {
  const [first = 0, second = 0, third = 0, fourth = 0] = dotted.split('.').map(Number)
  return `${((first << 8) | second).toString(16)}:${((third << 8) | fourth).toString(16)}`
}
