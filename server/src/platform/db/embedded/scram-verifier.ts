import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/**
 * The form in which PostgreSQL stores a password, made on our side so that the password itself is
 * in no statement, file or log of the server's (RFC 5802 and RFC 7677; PostgreSQL's manual,
 * catalogue `pg_authid`).
 *
 * @param password printable ASCII, so that no SASLprep is needed
 * @returns `SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>`, base64
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const iterations = 4096
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const mac = (label: string) => createHmac('sha256', salted).update(label).digest()
  const storedKey = createHash('sha256').update(mac('Client Key')).digest('base64')
  const serverKey = mac('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
