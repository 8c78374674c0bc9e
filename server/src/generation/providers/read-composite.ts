import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { Context } from '../../context.ts'
import { readInput } from '../read-input.ts'
import type { AttemptRow } from './attempt-queries.ts'

/** The composite that an attempt's model is given; undefined where none was made yet. */
export async function readComposite(
  parts: Pick<Context, 'store'>,
  { composite_key: key }: Pick<AttemptRow, 'composite_key'>,
): Promise<NormalisedPhoto | undefined> {
  return key === null ? undefined : await readInput(parts, key)
}
