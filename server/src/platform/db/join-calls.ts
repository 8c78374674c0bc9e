/**
 * Joins calls that come in one iteration of the event loop, or while earlier ones are under way, into
 * one act: a statement for many callers costs little more than one for a single caller, as most of
 * either is the way to the database and back. A lone call goes alone and waits for nothing.
 * @param options.run does all at once; gives a result (or a promise of one) for each, in order
 * @param options.keyOf calls with the same key never go together, the later one goes next
 */
export function joinCalls<Call, Result>(options: {
  run(calls: readonly Call[]): Promise<readonly (Result | Promise<Result>)[]>
  sizeMax: number
  inFlightMax: number
  keyOf?: (call: Call) => string
}): (call: Call) => Promise<Result> {
  const { run, sizeMax, inFlightMax, keyOf } = options
  let waiting: Waiting<Call, Result>[] = []
  let inFlight = 0
  let isPumpPlanned = false

  function planPump(): void {
    if (isPumpPlanned || inFlight >= inFlightMax) return
    isPumpPlanned = true
    setImmediate(pump)
  }

  function pump(): void {
    isPumpPlanned = false
    while (waiting.length > 0 && inFlight < inFlightMax) {
      inFlight += 1
      void carryOut(takeBatch()).finally(() => {
        inFlight -= 1
        pump()
      })
    }
  }

  function takeBatch(): Waiting<Call, Result>[] {
    if (keyOf === undefined) return waiting.splice(0, sizeMax)
    const batch = new Map<string, Waiting<Call, Result>>()
    const rest: Waiting<Call, Result>[] = []
    for (const entry of waiting) {
      const key = keyOf(entry.call)
      if (batch.size < sizeMax && !batch.has(key)) batch.set(key, entry)
      else rest.push(entry)
    }
    waiting = rest
    return [...batch.values()]
  }

  async function carryOut(batch: Waiting<Call, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ call }) => call))
      if (results.length !== batch.length) throw new Error('a call was left without a result')
      results.forEach((result, index) => batch[index]?.resolve(result))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject })
      planPump()
    })
}

interface Waiting<Call, Result> {
  call: Call
  resolve(result: Result | Promise<Result>): void
  reject(error: unknown): void
}
