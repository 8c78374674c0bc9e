import pg from 'pg'

/** Name of the constraint that refused a statement, or undefined when it was another failure. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}

/** SQLSTATE `undefined_table`: an older version's database has no such table. */
export function isMissingTable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '42P01'
}
