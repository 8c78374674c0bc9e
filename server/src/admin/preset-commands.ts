import { parseArgs } from 'node:util'
import { createEngine } from '@starside/engine/engine.ts'
import type { Config } from '../config.ts'
import { loadPresets } from '../generation/presets.ts'
import { findStar, placeStar, publishStar, retireStar, retryStar } from '../stars/edit-stars.ts'
import { starPositionMax } from '../stars/star-rules.ts'
import { starQueue } from '../stars/star-job.ts'
import { addPreset, addPresetUsage } from './add-preset.ts'
import type { AdminCommands, AdminParts } from './admin-command.ts'
import { withJobQueue } from './with-job-queue.ts'

export const presetCommands: AdminCommands = {
  'preset list': {
    readsOnly: true,
    usage: '',
    help: 'lists the stars that people can choose, and those that are not published yet',
    run: listPresets,
  },
  'preset add': {
    usage: addPresetUsage,
    help: 'adds a star, as /admin/presets does; you need the right to use the picture',
    run: addPreset,
  },
  'preset publish': {
    usage: 'ID',
    help: 'offers a star that was added, on every node at once',
    run: publish,
  },
  'preset retry': {
    usage: 'ID',
    help: 'has a star that failed cut out anew',
    run: (parts, [id = '']) =>
      withJobQueue(parts, starQueue, async (jobs) => {
        const isDone = await retryStar({ database: parts.database, jobs }, id)
        return printResult(parts.print, isDone, `'${id}' is cut out anew.`, 'star that failed')
      }),
  },
  'preset place': {
    usage: 'ID POSITION [--hidden]',
    help: 'says where any star stands, smaller in front, and whether it is shown',
    run: place,
  },
  'preset retire': {
    usage: 'ID',
    help: 'takes a star that was added out of the offer for good; selfies keep its name',
    async run({ database, print }, [id = '']) {
      return printResult(
        print,
        await retireStar(database, id),
        `'${id}' is retired.`,
        'star of your own',
      )
    },
  },
}

async function publish({ database, print }: AdminParts, [id = '']: string[]): Promise<number> {
  const isDone = await publishStar(database, id)
  const { state } = (isDone ? undefined : await findStar(database, id)) ?? {}
  // Whoever types both commands one after the other comes before the star is cut out.
  if (state === 'cutting') {
    print(`'${id}' is still being cut out. Try again in a moment.`)
    return 1
  }
  return printResult(print, isDone, `'${id}' is offered now.`, 'draft')
}

async function listPresets({ config, database, print }: AdminParts): Promise<number> {
  const own = await database
    .selectFrom('stars')
    .select(['id', 'name', 'category', 'licence', 'attribution', 'state', 'failure'])
    .where('state', '<>', 'retired')
    .orderBy('created_at')
    .execute()
  const places = await database.selectFrom('star_places').selectAll().execute()
  const isHidden = new Map(places.map((row) => [row.star_id, row.is_hidden]))
  const inFiles = (await readFiles(config)).map((star) => ({
    ...star,
    state: 'published' as const,
  }))
  for (const star of [...own, ...inFiles]) {
    const { id, name, category, licence, attribution, state } = star
    const shown = isHidden.get(id) === true ? `${state}, hidden` : state
    const why = 'failure' in star && star.failure !== null ? ` (${star.failure})` : ''
    print(
      [
        id.padEnd(18),
        name.padEnd(20),
        category.padEnd(8),
        `${shown}${why}`.padEnd(12),
        licence.padEnd(12),
        attribution,
      ].join(' '),
    )
  }
  return 0
}

/** Those that come with the program, or were added by an earlier version. */
async function readFiles(config: Config) {
  const engine = createEngine()
  try {
    return (await loadPresets(engine, config.dataFolder)).list()
  } finally {
    await engine.close()
  }
}

async function place({ config, database, print }: AdminParts, words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { hidden: { type: 'boolean', default: false } },
  })
  const [id = '', text = ''] = positionals
  const position = Number(text)
  if (!/^\d{1,6}$/.test(text) || position > starPositionMax) {
    print(`The position is a number up to ${starPositionMax}.`)
    return 2
  }
  const own = await database.selectFrom('stars').select('id').where('id', '=', id).execute()
  const isKnown = own.length > 0 || (await readFiles(config)).some((star) => star.id === id)
  if (isKnown) await placeStar(database, { id, position, isHidden: values.hidden })
  const done = `'${id}' is ${values.hidden ? 'hidden' : 'shown'} at ${position}.`
  return printResult(print, isKnown, done, 'star')
}

function printResult(
  print: AdminParts['print'],
  isDone: boolean,
  done: string,
  wanted: string,
): number {
  print(isDone ? done : `There is no such ${wanted}.`)
  return isDone ? 0 : 1
}
