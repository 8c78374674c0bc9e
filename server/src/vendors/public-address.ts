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
  // What the IETF has for protocols, Teredo (RFC 4380) among it.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 (RFC 3056) carries an IPv4 address, which a gateway would unpack.
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  privateNetworks.addSubnet(network, prefix, 'ipv6')
}

/** All of IPv4, and the one part of IPv6 of which addresses are given out for the internet. */
const unicast = new BlockList()
unicast.addSubnet('0.0.0.0', 0, 'ipv4')
unicast.addSubnet('2000::', 3, 'ipv6')

/** True for an IP address (v4, v6, or v4 mapped into v6) that the whole internet can reach. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  // The lists look through ::ffff:a.b.c.d by themselves.
  return unicast.check(address, family) && !privateNetworks.check(address, family)
}
