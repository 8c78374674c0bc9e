/** Proofs of work, for browser and server. No schema library: a worker of browsers loads this. */

/** What is hashed with SHA-256 for one tried number. */
export function proofMessage(challenge: string | undefined, answer: number | string | undefined) {
  return `${challenge}.${answer}`
}

/** How many bits at the beginning of a digest are zero. */
export function leadingZeroBits(digest: Uint8Array): number {
  const firstByte = digest.findIndex((byte) => byte !== 0)
  if (firstByte === -1) return digest.length * 8
  return firstByte * 8 + Math.clz32(digest[firstByte] ?? 0) - 24
}

/** The zero bits that a challenge asks for: its first field. */
export function difficultyOf(challenge: string): number {
  return Number(challenge.split('.')[0])
}
