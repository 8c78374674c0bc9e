/**
 * Hashes a test program's passwords by the least work, as tests register hundreds of people. What was
 * asked of argon2 stands in each hash as ever, so that tests still see it.
 */
import argon2 from '@node-rs/argon2'

const { hash, verify } = argon2
const least = { memoryCost: 8, timeCost: 1, parallelism: 1 }
/** What was really computed, by what it is shown as. */
const computed = new Map<string, string>()

argon2.hash = async (password, asked) => {
  const own = await hash(password, least)
  const { memoryCost, timeCost, parallelism } = { ...least, ...asked }
  const shown = own.replace('$m=8,t=1,p=1$', `$m=${memoryCost},t=${timeCost},p=${parallelism}$`)
  computed.set(shown, own)
  return shown
}
argon2.verify = async (shown, password) => verify(computed.get(String(shown)) ?? shown, password)
