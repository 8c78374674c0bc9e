const groupMax = 32

/**
 * Which mutants a test is tried with next. Several are switched on at once: a test that passes notices
 * none of them, one that fails is tried with each half. Groups grow while tests pass and shrink while
 * they fail. Those of a group stand far apart in the code, where they don't hide each other; one
 * that is hidden all the same is counted as living.
 */
export class MutantQueue {
  readonly #rest: string[]
  readonly #next: string[][]
  #groupSize = 1

  /** @param alone those that are never tried with others */
  constructor(ids: readonly string[], alone: readonly string[] = []) {
    this.#next = ids.filter((id) => alone.includes(id)).map((id) => [id])
    this.#rest = ids.filter((id) => !alone.includes(id))
  }

  /** The next group; undefined when all were tried. */
  take(): readonly string[] | undefined {
    return this.#next.shift() ?? this.#takeApart()
  }

  /** The test passed with a group: nothing more of it is tried. */
  passed(group: readonly string[]): void {
    if (group.length >= this.#groupSize) this.#groupSize = Math.min(groupMax, 2 * this.#groupSize)
  }

  /** The test failed with a group: of several, each half is tried. */
  failed(group: readonly string[]): void {
    this.#groupSize = Math.max(1, Math.floor(this.#groupSize / 2))
    if (group.length === 1) return
    const half = Math.ceil(group.length / 2)
    this.#next.unshift(group.slice(0, half), group.slice(half))
  }

  #takeApart(): string[] | undefined {
    const size = Math.min(this.#groupSize, this.#rest.length)
    if (size === 0) return undefined
    const step = Math.floor(this.#rest.length / size)
    return Array.from({ length: size }, (_, index) =>
      // Each one taken before moves the others forward by one.
      this.#rest.splice(index * step - index, 1),
    ).flat()
  }
}
