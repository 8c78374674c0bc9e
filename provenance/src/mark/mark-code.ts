import { createHmac } from 'node:crypto'

/**
 * The bits that a mark carries: 64 bits of id and a 32-bit keyed tag that tells a mark of ours from
 * chance and from forgery, protected by the convolutional code of constraint length 7 and rate 1/3
 * (generators 133, 171, 165 octal), which is decoded from soft values (Viterbi 1967).
 */
const idBytes = 8
const tagBytes = 4
const messageBits = (idBytes + tagBytes) * 8
const memoryBits = 6
const stateCount = 1 << memoryBits
const generators = [0o133, 0o171, 0o165]

/** Bits on the picture for one id. */
export const codedBitsCount = (messageBits + memoryBits) * generators.length

/** An id as other programs see it: 16 lower-case hexadecimal digits. */
export const markIdPattern = /^[0-9a-f]{16}$/u

/** `id`: 16 lower-case hexadecimal digits. Gives `codedBitsCount` values of +1 or -1. */
export function encodeMarkId(id: string, key: Uint8Array): Int8Array {
  if (!markIdPattern.test(id)) throw new TypeError('A mark id has 16 hexadecimal digits.')
  const idPart = Buffer.from(id, 'hex')
  const message = Buffer.concat([idPart, tagOf(idPart, key)])
  const coded = new Int8Array(codedBitsCount)
  let state = 0
  for (let step = 0; step < messageBits + memoryBits; step++) {
    // Zeros at the end bring the coder back to where it started.
    const bit = step < messageBits ? (message[step >> 3]! >> (7 - (step & 7))) & 1 : 0
    const register = (bit << memoryBits) | state
    for (const [output, generator] of generators.entries()) {
      coded[step * generators.length + output] = parity(register & generator) === 1 ? 1 : -1
    }
    state = register >> 1
  }
  return coded
}

/** Gives the id, undefined if its tag doesn't fit; `soft`: `codedBitsCount`, above 0 for 1. */
export function decodeMarkId(soft: Float64Array, key: Uint8Array): string | undefined {
  const message = Buffer.from(viterbi(soft))
  const id = message.subarray(0, idBytes)
  return tagOf(id, key).equals(message.subarray(idBytes)) ? id.toString('hex') : undefined
}

function tagOf(id: Uint8Array, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update('mark tag').update(id).digest().subarray(0, tagBytes)
}

/** The message whose code lies closest to the soft values. */
function viterbi(soft: Float64Array): Uint8Array {
  const steps = messageBits + memoryBits
  const survivors = new Uint8Array(steps * stateCount)
  let scores = new Float64Array(stateCount).fill(-Infinity)
  scores[0] = 0
  for (let step = 0; step < steps; step++) {
    const next = new Float64Array(stateCount).fill(-Infinity)
    for (let state = 0; state < stateCount; state++) {
      for (let bit = 0; bit <= (step < messageBits ? 1 : 0); bit++) {
        const register = (bit << memoryBits) | state
        const score = scores[state]! + agreement(soft, step, register)
        const to = register >> 1
        if (score > next[to]!) {
          next[to] = score
          survivors[step * stateCount + to] = state & 1
        }
      }
    }
    scores = next
  }
  return traceBack(survivors, steps)
}

function agreement(soft: Float64Array, step: number, register: number): number {
  let sum = 0
  for (const [output, generator] of generators.entries()) {
    const value = soft[step * generators.length + output]!
    sum += parity(register & generator) === 1 ? value : -value
  }
  return sum
}

function traceBack(survivors: Uint8Array, steps: number): Uint8Array {
  const message = new Uint8Array(messageBits / 8)
  let state = 0
  for (let step = steps - 1; step >= 0; step--) {
    // A state's highest bit is the one that came in at this step.
    const bit = state >> (memoryBits - 1)
    if (step < messageBits) message[step >> 3]! |= bit << (7 - (step & 7))
    state = ((state << 1) & (stateCount - 1)) | survivors[step * stateCount + state]!
  }
  return message
}

function parity(value: number): number {
  let bits = value
  bits ^= bits >> 4
  bits ^= bits >> 2
  bits ^= bits >> 1
  return bits & 1
}
