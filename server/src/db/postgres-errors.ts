import pg from 'pg'

/** Name of the constraint that refused a statement, or undefined when it was another failure. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}
