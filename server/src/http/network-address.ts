/**
 * Where a caller is in the network, as limits count: an IPv4 address, or the /64 that an IPv6
 * customer has to choose addresses from (RFC 6177). However an address is written, the result is
 * the same.
 */
export function callerNetwork(address: string): string {
  return ipv4Of(address) ?? ipv6Groups(address).slice(0, 4).join(':')
}

/** The wider block around it, in which an address may change: IPv4 /24, IPv6 /48. */
export function networkBlock(address: string): string {
  const ipv4 = ipv4Of(address)
  if (ipv4 !== undefined) return ipv4.slice(0, ipv4.lastIndexOf('.'))
  return ipv6Groups(address).slice(0, 3).join(':')
}

function ipv4Of(address: string): string | undefined {
  return /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
}

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
function ipv6Groups(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return groups.map((group) => group.replace(/^0+(?=.)/, ''))
}
