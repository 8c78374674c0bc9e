import { expect, test } from 'vitest'
import { callerNetwork, networkBlock } from './network-address.ts'

test.for([
  ['203.0.113.7', '203.0.113.7', '203.0.113'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113'],
  ['2001:db8:1:2::1', '2001:db8:1:2', '2001:db8:1'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2', '2001:db8:1'],
  ['2001:db8::1', '2001:db8:0:0', '2001:db8:0'],
  ['fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0'],
  ['::1', '0:0:0:0', '0:0:0'],
  ['::ffff:cb00:7107', '203.0.113.7', '203.0.113'],
  ['0:0:0:0:0:FFFF:CB00:7107', '203.0.113.7', '203.0.113'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7', '203.0.113'],
  ['0000::0:ffff:203.0.113.7', '203.0.113.7', '203.0.113'],
  ['64:ff9b:1:2::203.0.113.7', '64:ff9b:1:2', '64:ff9b:1'],
  ['2001:db8:1:2:3:4:203.0.113.7', '2001:db8:1:2', '2001:db8:1'],
  ['::fffe:cb00:7107', '0:0:0:0', '0:0:0'],
  ['not-an-address', 'unknown', 'unknown'],
  ['another', 'unknown', 'unknown'],
  ['203.0.113.777', 'unknown', 'unknown'],
  ['', 'unknown', 'unknown'],
] as const)('%s is the caller %s in the block %s', ([address, caller, block]) => {
  expect(callerNetwork(address)).toBe(caller)
  expect(networkBlock(address)).toBe(block)
})
