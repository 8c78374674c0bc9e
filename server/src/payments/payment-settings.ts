import { isTestMoney, paymentProviders } from '@starside/contract/payment-providers.ts'
import type { PaymentProviderName } from '@starside/contract/payment-providers.ts'
import { z } from 'zod'
import { optionalUrl, trimSlash } from '../platform/settings/fields.ts'
import { SettingsError } from '../platform/settings/settings-error.ts'
import type { OpenPaymentProvider } from './payment-module.ts'
import { moduleVariables, paymentModules } from './payment-modules.ts'

/** What the environment says about payments. */
export interface PaymentSettings {
  /** Takes new orders; the others that are set up still settle theirs. */
  active: PaymentProviderName
  /** Where providers reach us, without a slash at the end. */
  callbackBaseUrl: string | undefined
  /** Those that are set up. */
  providers: ReadonlyMap<PaymentProviderName, OpenPaymentProvider>
}

const names = Object.keys(paymentProviders) as [PaymentProviderName, ...PaymentProviderName[]]

/** The variables about payments; part of the environment's schema. */
export const paymentVariables = {
  PAYMENT_PROVIDER: z.enum(names).optional(),
  PAYMENT_CALLBACK_URL: optionalUrl,
  ...moduleVariables,
}

/** Each reads its own variables out of all of them. */
const modules: Record<PaymentProviderName, { read(variables: object): OpenPaymentProvider }> =
  paymentModules

type Variables = z.output<z.ZodObject<typeof paymentVariables>>

/**
 * Turns the variables into settings. Throws when half a provider is set up, when a named one isn't,
 * when nothing is set up in production: test money there has to be asked for by name; and when test
 * money is asked for beside real money, as whoever has neither paid could take credits for it.
 */
export function readPaymentSettings(
  env: Variables,
  program: { isProduction: boolean },
): PaymentSettings {
  const complete = names.filter((name) => !isTestMoney(name) && isComplete(name, env))
  const active = env.PAYMENT_PROVIDER ?? complete[0] ?? defaultProvider(program)
  if (!isTestMoney(active) && !complete.includes(active)) {
    throw new SettingsError(`PAYMENT_PROVIDER is '${active}', but its settings are missing`)
  }
  if (isTestMoney(active) && complete.length > 0) {
    throw new SettingsError(
      `PAYMENT_PROVIDER is '${active}', which takes test money, but ${complete.join(' and ')} is ` +
        'set up for real money. Remove the settings of one of them',
    )
  }
  const used = isTestMoney(active) ? [active] : complete
  return {
    active,
    callbackBaseUrl: trimSlash(env.PAYMENT_CALLBACK_URL),
    providers: new Map(used.map((name) => [name, modules[name].read(env)])),
  }
}

/** Whether what a provider needs is there; throws when it is only there in parts. */
function isComplete(name: PaymentProviderName, env: Variables): boolean {
  const required: readonly (keyof Variables)[] = paymentModules[name].required
  const given = required.filter((variable) => env[variable] !== undefined)
  if (given.length !== 0 && given.length !== required.length) {
    throw new SettingsError(`${required.join(', ')} must be set together`)
  }
  return given.length > 0
}

function defaultProvider(program: { isProduction: boolean }): PaymentProviderName {
  const [testMoney] = names.filter(isTestMoney)
  if (!program.isProduction && testMoney !== undefined) return testMoney
  const choices = names
    .map((name) => paymentModules[name].required.join(' and '))
    .filter((text) => text !== '')
  throw new SettingsError(
    `No payment provider is set up. Set ${choices.join(', or ')}; ` +
      `or set PAYMENT_PROVIDER=${testMoney ?? ''} to take test money on purpose`,
  )
}
