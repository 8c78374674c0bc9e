import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, cp, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { prepareBinaries } from '@starside/server/db/embedded/binaries.ts'
import { findFreePort } from '@starside/server/db/embedded/free-port.ts'
import { chooseDatabaseUser } from '@starside/server/db/embedded/system-user.ts'
import type { EmbeddedPostgres } from '@starside/server/db/embedded-postgres.ts'
import pg from 'pg'

/** A second PostgreSQL that follows the first. */
export interface Replica {
  /** Of the same database and owner. */
  readonly url: string
  stop(): Promise<void>
}

/**
 * Copies the primary while it runs and lets the copy follow it by streaming replication
 * (postgresql.org/docs/current/continuous-archiving.html, 'Making a Base Backup Using the Low Level API').
 *
 * @param folder does not exist
 */
export async function startReplica(primary: EmbeddedPostgres, folder: string): Promise<Replica> {
  const user = await chooseDatabaseUser(primary.clusterFolder)
  const superuser = new pg.Client({ connectionString: primary.superuserUrl })
  await superuser.connect()
  try {
    await appendFile(
      path.join(primary.clusterFolder, 'pg_hba.conf'),
      '\nhost replication all 127.0.0.1/32 scram-sha-256\n',
    )
    await superuser.query(`alter system set wal_keep_size = '4GB'`)
    await superuser.query('select pg_reload_conf()')
    await superuser.query(`select pg_backup_start('replica', true)`)
    await cp(primary.clusterFolder, folder, {
      recursive: true,
      filter: (file) => !/postmaster\.(?:pid|opts)$/.test(file),
    })
    const { rows } = await superuser.query<{ labelfile: string }>('select * from pg_backup_stop()')
    await writeFile(path.join(folder, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await superuser.end()
  }
  await writeFile(path.join(folder, 'standby.signal'), '')
  await appendFile(
    path.join(folder, 'postgresql.auto.conf'),
    `\nprimary_conninfo = '${primary.superuserUrl}'\nhot_standby_feedback = on\n`,
  )
  if (user !== undefined) await giveTo(folder, user)
  return runReplica(primary, folder, user)
}

type User = Awaited<ReturnType<typeof chooseDatabaseUser>>

async function giveTo(folder: string, { uid, gid }: NonNullable<User>): Promise<void> {
  await chown(folder, uid, gid)
  for (const entry of await readdir(folder, { recursive: true })) {
    await chown(path.join(folder, entry), uid, gid)
  }
}

async function runReplica(primary: EmbeddedPostgres, folder: string, user: User): Promise<Replica> {
  const binaries = await prepareBinaries(user, '/var/lib/starside', () => undefined)
  const port = await findFreePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=']
  const child = spawn(
    binaries.postgres,
    ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])],
    { stdio: 'ignore', ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }) },
  )
  const ended = once(child, 'exit')
  const url = primary.url.replace(`:${primary.port}/`, `:${port}/`)
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error('the replica did not start')
    await delay(100)
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  return client
    .connect()
    .then(() => client.end())
    .then(
      () => true,
      () => false,
    )
}
