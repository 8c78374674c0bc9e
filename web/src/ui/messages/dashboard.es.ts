import type { DashboardMessages } from './dashboard.en.ts'
import { messages as english } from './dashboard.en.ts'

export const messages: DashboardMessages = english
