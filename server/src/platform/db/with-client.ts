import pg from 'pg'

/** Runs `act` on a connection of its own, past any pool, and ends that. */
export async function withClient<Result>(
  databaseUrl: string,
  applicationName: string,
  act: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: applicationName })
  // A connection that is lost makes the next statement fail.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await act(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** @param name looked up as a statement would, such as `users` or `public.users` */
export async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ oid: string | null }>(
    'select to_regclass($1)::text as oid',
    [name],
  )
  return rows[0]?.oid != null
}
