import { BlockList, isIP } from 'node:net'
import networks from './private-networks.json' with { type: 'json' }

/** Networks that a vendor's picture is never fetched from (IANA special-purpose registries). */
const privateNetworks = new BlockList()
for (const { network, prefix, family } of networks) {
  privateNetworks.addSubnet(network, prefix, family === 'ipv6' ? 'ipv6' : 'ipv4')
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
