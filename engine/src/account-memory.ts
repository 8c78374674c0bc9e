/** Whose something is: an account, or everybody for what is no person's upload. */
export type Owner = { account: string } | 'everybody'

/** What was made for an account, kept in this process's memory alone and for a short time. */
export interface AccountMemory<Value extends object> {
  /** What is kept or just being made; undefined where nothing is, or where its making fails. */
  find(owner: Owner, key: string): Promise<Value | undefined>
  /** Keeps a value as soon as it is there; one whose making fails is not kept. */
  keep(owner: Owner, key: string, making: Promise<Value | undefined>): void
  forget(account: string): void
}

/** Bounds of what is kept. */
export interface AccountMemoryBounds<Value> {
  /** What isn't everybody's is dropped so long after it was kept. */
  keptMs: number
  bytesMax: number
  /** Of one owner. */
  bytesPerOwnerMax: number
  /** Milliseconds of a clock that never goes back. */
  now?: (() => number) | undefined
  /** Called with what isn't kept any more, so that large memory is given back at once. */
  onDropped?: ((value: Value) => void) | undefined
}

interface Entry<Value> {
  owner: string
  value: Promise<Value | undefined>
  keptAt: number
  /** 0 until it is there. */
  bytes: number
  /** Undefined until it is there. */
  made?: Value
}

/** Keeps values within bounds; the oldest make room for new ones. */
export function createAccountMemory<Value extends object>({
  keptMs,
  bytesMax,
  bytesPerOwnerMax,
  now = () => performance.now(),
  onDropped,
}: AccountMemoryBounds<Value>): AccountMemory<Value> {
  // In the order of their use, the oldest first.
  const entries = new Map<string, Entry<Value>>()

  const drop = (name: string): void => {
    const made = entries.get(name)?.made
    entries.delete(name)
    if (made) onDropped?.(made)
  }
  const isOver = ({ owner, keptAt }: Entry<Value>): boolean =>
    owner !== everybody && now() - keptAt >= keptMs
  const dropOld = (): void => {
    for (const [name, entry] of entries) if (isOver(entry)) drop(name)
  }
  const makeRoom = (bytes: number, max: number, counts: (entry: Entry<Value>) => boolean): void => {
    const counted = [...entries].filter(([, entry]) => counts(entry))
    let sum = counted.reduce((total, [, entry]) => total + entry.bytes, bytes)
    for (const [name, entry] of counted) {
      if (sum <= max) return
      if (entry.bytes === 0) continue
      drop(name)
      sum -= entry.bytes
    }
  }

  return {
    async find(owner, key) {
      dropOld()
      const name = nameOf(owner, key)
      const entry = entries.get(name)
      if (!entry) return undefined
      entries.delete(name)
      entries.set(name, entry)
      return await entry.value
    },
    keep(owner, key, making) {
      dropOld()
      const name = nameOf(owner, key)
      const value = making.catch(() => undefined)
      const entry: Entry<Value> = { owner: ownerName(owner), value, keptAt: now(), bytes: 0 }
      drop(name)
      entries.set(name, entry)
      void value.then((made) => {
        const isCurrent = entries.get(name) === entry
        const bytes = made ? bytesOf(made) : Infinity
        if (!made || !isCurrent || bytes > bytesPerOwnerMax) {
          if (isCurrent) entries.delete(name)
          if (made) onDropped?.(made)
          return
        }
        makeRoom(bytes, bytesPerOwnerMax, (other) => other.owner === entry.owner)
        makeRoom(bytes, bytesMax, () => true)
        entry.bytes = bytes
        entry.made = made
        // Gone in time also when nobody asks again; nothing waits for it.
        setTimeout(dropOld, keptMs + 1).unref()
      })
    },
    forget(account) {
      const owner = ownerName({ account })
      for (const [name, entry] of entries) if (entry.owner === owner) drop(name)
    },
  }
}

const everybody = 'everybody'

function ownerName(owner: Owner): string {
  return owner === 'everybody' ? everybody : `account ${owner.account}`
}

function nameOf(owner: Owner, key: string): string {
  return JSON.stringify([ownerName(owner), key])
}

/** The bytes of all arrays of a value, however deep. */
function bytesOf(value: object): number {
  const seen = new Set<object>()
  const add = (part: unknown): number => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return 0
    seen.add(part)
    if (ArrayBuffer.isView(part)) return part.byteLength
    return Object.values(part).reduce<number>((sum, inner) => sum + add(inner), 0)
  }
  // An object without arrays takes some room too.
  return 1_000 + add(value)
}
