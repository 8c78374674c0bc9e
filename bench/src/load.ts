import { keysOf } from '@starside/contract/keys-of.ts'
import { quantile } from './page/figures.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'
import { packSelfieForm } from './server/api-client.ts'
import { openHostedEnvironment } from './server/hosted-environment.ts'
import { runLiveLoad, defaultLoadProfile } from './server/live-load.ts'
import type { LoadResult } from './server/live-load.ts'
import { makePeople } from './server/bench-environment.ts'

/** `npm run bench -- load [--users N] [--seconds N]`: many signed-in people at once. */
export async function run(args: string[]): Promise<Section> {
  const { users, seconds } = readNumbers(args, { users: 500, seconds: 60 })
  await using environment = await openHostedEnvironment()
  const people = await makePeople(environment.pool, { count: users, credits: 100 })
  const result = await runLiveLoad({
    client: environment.client,
    people,
    form: await packSelfieForm(),
    profile: defaultLoadProfile,
    seconds,
    pool: environment.pool,
    programPid: environment.program.process.pid ?? 0,
  })
  for (const error of new Set(result.errors)) console.error(error)
  return {
    title: 'Many people at once',
    lines: [
      `${users} signed-in people for ${seconds} s, on one node with API and worker: each looks at the profile`,
      `every ${defaultLoadProfile.profileIntervalMs / 1_000} s and at an open order every ${defaultLoadProfile.orderIntervalMs / 1_000} s, begins a selfie every ${defaultLoadProfile.selfieIntervalMs / 60_000} minutes and asks for it each`,
      'second. The pictures come from a stand-in of a hosted model; looking at the photos is real work.',
      '',
      ...describe(result, seconds),
    ],
  }
}

function describe(result: LoadResult, seconds: number): string[] {
  const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`
  const row = (what: string, times: number[]) => [
    what,
    `${times.length} (${(times.length / seconds).toFixed(1)}/s)`,
    ms(quantile(times, 0.5)),
    ms(quantile(times, 0.99)),
    ms(quantile(times, 1)),
  ]
  const names = {
    profile: 'Profile',
    order: 'Status of an order',
    'selfie begun': 'Form of a selfie, until it is taken on',
    'selfie polled': 'Status of a selfie',
  } as const
  const kinds = keysOf(names)
  return [
    ...table(
      ['Call', 'Count', 'p50', 'p99', 'Longest'],
      [
        ...kinds.map((kind) => row(names[kind], result.times[kind])),
        row('Selfie, from the form to the picture', result.selfiesMs),
      ],
    ),
    '',
    `Errors: ${result.errors.length}. The oldest selfie under way was ${result.queueAgeMaxSeconds.toFixed(1)} s old, the program used ${result.memoryMaxMb.toFixed(0)} MB.`,
  ]
}
