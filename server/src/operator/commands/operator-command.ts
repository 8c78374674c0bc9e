import type { Config } from '../../config.ts'
import type { Database } from '../../platform/db/database.ts'

/** What an operator's command works with. */
export interface OperatorParts {
  config: Config
  /** The database of the running program, or one that was started for the command. */
  database: Database
  databaseUrl: string
  clock: () => Date
  print(line: string): void
}

/** What a command has that works without the database, before the first start too. */
export type PartsWithoutDatabase = Pick<OperatorParts, 'config' | 'clock' | 'print'>

/** One operator's command. */
export type OperatorCommand = {
  /** The words after the command's name, as in `show ORDER_ID`. */
  usage: string
  help: string
} & (
  | {
      needsDatabase?: true
      /**
       * Resolves to the exit status: 0 done, 1 refused or not in order, 2 wrong words. Words that
       * `parseArgs` refuses may be thrown.
       */
      run(parts: OperatorParts, words: string[]): Promise<number>
    }
  | { needsDatabase: false; run(parts: PartsWithoutDatabase, words: string[]): Promise<number> }
)

/** Commands by their one or two words, such as `audit` and `orders list`. */
export type OperatorCommands = Record<string, OperatorCommand>
