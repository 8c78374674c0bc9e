import { randomBytes } from 'node:crypto'
import type { Device, DeviceMark } from '../accounts/auth/device.ts'

/** A device of which nothing is known; with what it shows, one that has signed in somewhere. */
export function newDevice(shown?: DeviceMark): Device {
  return {
    browserHash: randomBytes(32),
    shown,
    fresh: { hash: randomBytes(32), cookie: crypto.randomUUID() },
    fallbackHash: randomBytes(32),
  }
}
