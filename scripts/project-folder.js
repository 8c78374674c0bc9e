import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the clone, wherever the command was given. */
export const projectFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
