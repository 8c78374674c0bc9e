/**
 * Damages a file the way fuzzers do, for tests of the upload path; the same seed gives the same
 * damage.
 */
export function mutateUpload(file: Uint8Array, seed: number): Uint8Array {
  const random = numbers(seed)
  let bytes: Buffer = Buffer.from(file)
  const rounds = 1 + Math.floor(random() * 6)
  for (let round = 0; round < rounds; round++) {
    const mutation = mutations[Math.floor(random() * mutations.length)]!
    bytes = mutation(bytes, random)
  }
  return bytes
}

type Random = () => number
type Mutation = (bytes: Buffer, random: Random) => Buffer

/** Values at which sizes and counts overflow. */
const edges = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]

const mutations: readonly Mutation[] = [
  function flipBit(bytes, random) {
    if (bytes.length > 0) bytes[place(bytes, random)]! ^= 1 << Math.floor(random() * 8)
    return bytes
  },
  function setByte(bytes, random) {
    if (bytes.length > 0) bytes[place(bytes, random)] = Math.floor(random() * 256)
    return bytes
  },
  function setNumber(bytes, random) {
    if (bytes.length < 4) return bytes
    const at = Math.min(bytes.length - 4, place(bytes, random))
    const value = edges[Math.floor(random() * edges.length)]!
    if (random() < 0.5) bytes.writeUInt32BE(value, at)
    else bytes.writeUInt32LE(value, at)
    return bytes
  },
  function cut(bytes, random) {
    return bytes.subarray(0, place(bytes, random))
  },
  function remove(bytes, random) {
    const at = place(bytes, random)
    return Buffer.concat([
      bytes.subarray(0, at),
      bytes.subarray(at + 1 + Math.floor(random() * 64)),
    ])
  },
  function repeat(bytes, random) {
    const at = place(bytes, random)
    const piece = bytes.subarray(at, at + 1 + Math.floor(random() * 256))
    return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
  },
  function insertNoise(bytes, random) {
    const at = place(bytes, random)
    const noise = Uint8Array.from({ length: 1 + Math.floor(random() * 32) }, () => random() * 256)
    return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)])
  },
  function zero(bytes, random) {
    const at = place(bytes, random)
    bytes.fill(0, at, Math.min(bytes.length, at + 1 + Math.floor(random() * 64)))
    return bytes
  },
]

/** Headers are where most decoders can be confused, so half of all places are there. */
function place(bytes: Buffer, random: Random): number {
  const reach = random() < 0.5 ? Math.min(bytes.length, 256) : bytes.length
  return Math.floor(random() * reach)
}

/** Marsaglia's xorshift generator of 32 bits. */
function numbers(seed: number): Random {
  let state = (seed * 2654435761 + 1) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}
