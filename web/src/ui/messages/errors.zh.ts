import type { ErrorMessages } from './errors.en.ts'
import { messages as english } from './errors.en.ts'

export const messages: ErrorMessages = english
