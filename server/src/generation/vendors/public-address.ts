import { BlockList, isIP } from 'node:net'

/** Networks that a vendor's picture is never fetched from (IANA special-purpose registries). */
const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::1', 128],
  // Addresses that carry an IPv4 address, which a gateway would unpack: 6to4 (RFC 3056), NAT64
  // (RFC 6052, RFC 8215), Teredo (RFC 4380), IPv4-compatible (RFC 4291, deprecated).
  ['2002::', 16],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['::', 96],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv6')
}

/** True for an IP address (v4, v6, or v4 mapped into v6) that the whole internet can reach. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  // The list looks through ::ffff:a.b.c.d by itself.
  return !privateNetworks.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
