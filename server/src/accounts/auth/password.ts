import argon2 from '@node-rs/argon2'
import { createCallQueue } from '@starside/engine/call-queue.ts'

/** argon2id by OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const argon2idOptions = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Two at once: they take threads that files and packed pages need too, of which there are four. */
const hashing = createCallQueue(2)

/** The password's hash in PHC format. */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => argon2.hash(password.normalize('NFC'), argon2idOptions))
}

/** True when the password is the hashed one. A damaged hash is a bug and throws. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return hashing.run(() => argon2.verify(passwordHash, password.normalize('NFC')))
}

let decoy: Promise<string> | undefined

/** Takes as long as a check, so that time doesn't tell whether an e-mail is known. Always false. */
export async function verifyDecoy(password: string): Promise<false> {
  decoy ??= hashPassword('nobody has this password')
  await verifyPassword(await decoy, password)
  return false
}
