/** What the code with the mutants in it looks at; the names are those of StrykerJS, but for the first. */
interface Switches {
  activeMutants?: ReadonlySet<string>
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number
  mutantCoverage?: {
    static: Record<string, number>
    perTest: Record<string, Record<string, number>>
  }
}

/** A mutant whose code runs more often in one test than this is in an endless loop. */
const hitsMax = 300_000

const scope = globalThis as unknown as Record<'__stryker__', Switches> & {
  keepsSqlCondition: (id: string) => boolean
}
/** Which mutants are on in this process; importing this file sets up what their code calls. */
export const switches: Switches = (scope['__stryker__'] ??= {})
switches.hitLimit = hitsMax
export const none: ReadonlySet<string> = new Set()
switches.activeMutants = none
/** How often each mutant’s code ran, when the files were loaded and in each test. */
export const coverage = (switches.mutantCoverage ??= { static: {}, perTest: {} })

scope.keepsSqlCondition = (id) => {
  const { currentTestId, activeMutants } = switches
  const covered =
    currentTestId === undefined ? coverage.static : (coverage.perTest[currentTestId] ??= {})
  covered[id] = (covered[id] ?? 0) + 1
  return activeMutants?.has(id) !== true
}
