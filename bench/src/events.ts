import { setTimeout as delay } from 'node:timers/promises'
import { respondAsync } from '@starside/contract/api.ts'
import { eventHeader } from '@starside/contract/event-formats.ts'
import { eventRules } from '@starside/server/events/event-rules.ts'
import { createEvent } from '@starside/server/events/save-event.ts'
import { openDatabase } from '@starside/server/platform/db/database.ts'
import { generationQueue } from '@starside/server/selfies/providers/begin-step.ts'
import { generateForm } from '@starside/server/testing/generate-form.ts'
import { readPersonPhoto } from '@starside/server/testing/test-photo.ts'
import { quantile } from './page/figures.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'
import { openBenchEnvironment } from './server/bench-environment.ts'

const name = 'bench'

/** `npm run bench -- events [--guests N] [--per-hour N]`: how long guests of an event wait. */
export async function run(args: string[]): Promise<Section> {
  const numbers = readNumbers(args, { guests: 15, 'per-hour': 120 })
  await using environment = await openBenchEnvironment({ ROLE: 'all' })
  const { program, pool } = environment
  const consentVersion = await makeEvent(environment.databaseUrl, numbers.guests)
  const userPhoto = await readPersonPhoto()
  const minutes = (numbers.guests / numbers['per-hour']) * 60
  // As people come by themselves: each at any moment, whoever else comes.
  const guests = Array.from({ length: numbers.guests }, async () => {
    await delay(Math.random() * minutes * 60_000)
    await beginSelfie(program.url, consentVersion, userPhoto)
  })
  await Promise.all(guests)
  while ((await pool.query("select from generations where state = 'running'")).rowCount !== 0) {
    await delay(200)
  }
  const measure = async (what: string, statement: string) => {
    const { rows } = await pool.query<{ ms: number }>(statement)
    const times = rows.map(({ ms }) => ms)
    return [what, ...[0.5, 0.95, 1].map((share) => `${quantile(times, share).toFixed(0)} ms`)]
  }
  const between = (from: string, to: string) => `extract(epoch from ${to} - ${from})::float8 * 1000`
  return {
    title: 'Guests of an event',
    lines: [
      `${numbers.guests} guests, each at any moment of ${minutes} minutes (${numbers['per-hour']} an hour), join and make a selfie at once.`,
      '',
      ...table(
        ['What', 'p50', 'p95', 'Longest'],
        [
          await measure(
            'Wait in the queue',
            `select ${between('created_on', 'started_on')} as ms from pgboss.job
             where name = '${generationQueue.name}'`,
          ),
          await measure(
            'From the accepted form to the picture',
            `select ${between('created_at', 'finished_at')} as ms from generations`,
          ),
        ],
      ),
    ],
  }
}

/** @returns the version of its words of consent */
async function makeEvent(url: string, guests: number): Promise<string> {
  const { database, close } = openDatabase({ url, connectionsMax: 1, onError: () => undefined })
  const rules = eventRules.parse({
    name,
    title: 'Bench',
    from: '2026-01-01 00:00',
    to: '2099-01-01 00:00',
    stars: 'elena-vassandri',
    selfiesPerGuest: '1',
  })
  const noPictures = async () => Promise.reject(new Error('this event has no pictures'))
  const parts = {
    database,
    clock: () => new Date(),
    engine: { admit: noPictures, makeLogo: noPictures },
    store: async () => ({ put: noPictures, delete: noPictures }),
  }
  await createEvent(parts, rules, { uploads: {}, budget: guests, createdBy: name })
  const { consent_version: version } = await database
    .selectFrom('events')
    .select('consent_version')
    .executeTakeFirstOrThrow()
  await close()
  return version
}

async function beginSelfie(url: string, consentVersion: string, userPhoto: Buffer): Promise<void> {
  const send = (path: string, body: FormData | string, headers: Record<string, string>) =>
    fetch(url + path, { method: 'POST', body, headers: { [eventHeader]: name, ...headers } })
  const joined = await send(`/api/events/${name}/join`, JSON.stringify({ consentVersion }), {
    'content-type': 'application/json',
  })
  const cookies = joined.headers.getSetCookie().map((each) => each.split(';')[0])
  const form = await generateForm({ userPhoto, scene: 'cafe' })
  const headers = { cookie: cookies.join('; '), prefer: respondAsync }
  const begun = await send('/api/ai?action=generate', form, headers)
  if (!begun.ok) throw new Error(`a guest's selfie failed: ${await begun.text()}`)
}
