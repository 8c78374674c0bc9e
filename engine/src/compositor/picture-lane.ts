import { orAborted } from '../or-aborted.ts'

/** What is to be made while no picture is. */
export interface Preparation {
  account: string
  /** Of what is made: a picture that needs just this lets it go on. */
  name: string
  /** Rejecting as soon as the signal aborts; but never while others could touch the same memory. */
  make(signal: AbortSignal): Promise<unknown>
}

/** Pictures one at a time, as each uses all threads; what is prepared gives way to all of them. */
export interface PictureLane {
  /**
   * Makes a picture after those before it, unless the signal aborts until then; what is being prepared, and what
   * waits for it, is given up.
   * @param options.awaits the name of a preparation that this picture profits from, which goes on
   */
  run<Result>(
    make: () => Promise<Result>,
    options?: { signal?: AbortSignal | undefined; awaits?: string | undefined },
  ): Promise<Result>
  /** Prepares one by one while no picture is made or awaited; an account's newest wish counts. */
  prepare(preparation: Preparation): void
  /** Gives up what is prepared for an account. */
  forget(account: string): void
}

/** So many accounts' preparations wait at most; of more, none is begun. */
const waitingMax = 4

/** A lane without pictures. */
export function createPictureLane(): PictureLane {
  let last: Promise<unknown> = Promise.resolve()
  let pictures = 0
  let preparing: (Preparation & { giveUp: AbortController }) | undefined
  const waiting = new Map<string, Preparation>()

  const enqueue = <Result>(make: () => Promise<Result>): Promise<Result> => {
    const result = last.then(make)
    last = result.catch(() => {})
    return result
  }
  const prepareNext = (): void => {
    const [next] = waiting.values()
    if (preparing || !next) return
    waiting.delete(next.account)
    const giveUp = new AbortController()
    preparing = { ...next, giveUp }
    const made = enqueue(async () => {
      giveUp.signal.throwIfAborted()
      await next.make(giveUp.signal)
    })
    void made
      .catch(() => {})
      .finally(() => {
        preparing = undefined
        prepareNext()
      })
  }
  const giveUpUnless = (isWanted: (preparation: Preparation) => boolean): void => {
    if (preparing && !isWanted(preparing)) preparing.giveUp.abort()
  }

  return {
    run(make, { signal, awaits } = {}) {
      pictures++
      waiting.clear()
      giveUpUnless(({ name }) => name === awaits)
      const made = enqueue(async () => {
        signal?.throwIfAborted()
        return await make()
      })
      return orAborted(
        made.finally(() => pictures--),
        signal,
      )
    },
    prepare(preparation) {
      const { account, name } = preparation
      if (pictures > 0) return
      if (!waiting.has(account) && waiting.size >= waitingMax) return
      giveUpUnless((one) => one.account !== account || one.name === name)
      waiting.set(account, preparation)
      prepareNext()
    },
    forget(account) {
      waiting.delete(account)
      giveUpUnless((one) => one.account !== account)
    },
  }
}
