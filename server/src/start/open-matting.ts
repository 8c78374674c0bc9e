import type { EngineHostOptions } from '@starside/engine/engine-host.ts'
import {
  MattingModelError,
  checkMattingModel,
} from '@starside/engine/models/matting/matting-card.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Logger } from '../logging/logger.ts'
import { mattingCheck, saveCheck } from '../operator/operator-checks.ts'

/** What the operator's matting network is reported by. */
export interface MattingParts {
  database: Database
  clock: () => Date
  log: Logger
}

/**
 * The engine's options about the operator's matting network. One that can't be used costs nobody
 * a picture: the embedded network goes on alone, and the log and the operator's page say why.
 */
export async function openMatting(
  { mattingModel }: Pick<Config, 'mattingModel'>,
  { database, clock, log }: MattingParts,
): Promise<Pick<EngineHostOptions, 'mattingModel' | 'onMattingFault'>> {
  if (mattingModel === undefined) return {}
  const report = async (fault: string | undefined): Promise<void> => {
    if (fault !== undefined) log.warn(`Pictures are made without MATTING_MODEL: ${fault}`)
    const finding = fault ?? `${mattingModel} has a say in every matte.`
    await saveCheck(database, {
      name: mattingCheck,
      at: clock(),
      isGood: fault === undefined,
      finding,
    })
  }
  const fault = await checkMattingModel(mattingModel).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof MattingModelError) return error.message
      throw error
    },
  )
  await report(fault)
  if (fault !== undefined) return {}
  return {
    mattingModel,
    onMattingFault(found) {
      report(found).catch((error: unknown) => log.error({ err: error }, 'a check was not kept'))
    },
  }
}
