const groupMax = 32

/**
 * Which mutants a test is tried with next. Several are switched on at once, each of another source
 * file, as those of one file often hide each other: a test that passes notices none of them, one
 * that fails is tried with each half. Groups grow while tests pass and shrink while they fail.
 */
export class MutantQueue {
  readonly #byFile = new Map<string, string[]>()
  readonly #next: string[][] = []
  #groupSize = 1

  /**
   * @param ids each with its file before the last colon
   * @param alone those that are never tried with others
   */
  constructor(ids: readonly string[], alone: readonly string[] = []) {
    for (const id of ids) {
      if (alone.includes(id)) {
        this.#next.push([id])
        continue
      }
      const file = id.slice(0, id.lastIndexOf(':'))
      const ofFile = this.#byFile.get(file)
      if (ofFile === undefined) this.#byFile.set(file, [id])
      else ofFile.push(id)
    }
  }

  /** The next group; undefined when all were tried. */
  take(): readonly string[] | undefined {
    const group = this.#next.shift() ?? this.#takeOfFiles()
    return group.length === 0 ? undefined : group
  }

  /** False when all were tried. */
  get hasMore(): boolean {
    return this.#next.length > 0 || [...this.#byFile.values()].some((ids) => ids.length > 0)
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

  /** One each of the files that have the most left. */
  #takeOfFiles(): string[] {
    return [...this.#byFile.values()]
      .toSorted((one, other) => other.length - one.length)
      .slice(0, this.#groupSize)
      .flatMap((ids) => ids.splice(0, 1))
  }
}
