import type { Engine } from '@starside/engine/engine-calls.ts'
import type { PlatformParts } from '../platform/parts.ts'

/** What stars need of the program; who opens the program brings it. */
export interface StarParts extends PlatformParts {
  readonly engine: Engine
}
