import { sha256 } from '@noble/hashes/sha2.js'
import { difficultyOf, leadingZeroBits, proofMessage } from '@starside/contract/proof-of-work.ts'

/** The challenge with the first number that answers it. WebCrypto is slower here, and missing on plain-HTTP hosts. */
export function findProof(challenge: string): string {
  const difficultyBits = difficultyOf(challenge)
  const encoder = new TextEncoder()
  for (let answer = 0; ; answer += 1) {
    const message = proofMessage(challenge, answer)
    if (leadingZeroBits(sha256(encoder.encode(message))) >= difficultyBits) return message
  }
}
