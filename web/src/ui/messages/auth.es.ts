import type { AuthMessages } from './auth.en.ts'
import { messages as english } from './auth.en.ts'

export const messages: AuthMessages = english
