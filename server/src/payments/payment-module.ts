import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Keys } from '../platform/secrets/keys.ts'
import type { PaymentProvider } from './provider.ts'

/** What a provider is opened with. */
export interface PaymentModuleParts {
  /** Where it sends its callbacks, unless it runs on this machine. */
  callbackUrl: () => string
  /** The same by the address that this program listens on. */
  localCallbackUrl: () => string
  publicUrl: string
  /** Where this program, or the one that serves the API, is reached from here. */
  localUrl: () => string
  keys: Pick<Keys, 'paymentSandboxApi' | 'paymentSandboxIpn'>
  fetch: typeof fetch
  now: () => number
}

export interface OpenedProvider {
  provider: PaymentProvider
  /** Pages and calls of a provider that this program is itself. */
  routes?: (app: FastifyInstance) => Promise<void>
  close?: () => Promise<void>
}

/** Opens a provider whose settings are there and sound. */
export type OpenPaymentProvider = (parts: PaymentModuleParts) => Promise<OpenedProvider>

/** A payment provider as the program knows it before anything is set up. */
export interface PaymentModule<Shape extends z.ZodRawShape> {
  /** Its variables; part of the environment's schema, each with its `description`. */
  variables: Shape
  /** Those that must be set, all of them or none; none for one that is only used by name. */
  required: readonly (keyof Shape & string)[]
  /** Takes the variables once the required ones are there. Throws a SettingsError. */
  read(variables: z.output<z.ZodObject<Shape>>): OpenPaymentProvider
}

/** Keeps the exact types of a module's variables. */
export function definePaymentModule<const Shape extends z.ZodRawShape>(
  module: PaymentModule<Shape>,
): PaymentModule<Shape> {
  return module
}
