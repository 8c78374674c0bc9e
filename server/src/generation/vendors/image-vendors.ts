import { falVendor } from './fal/fal-vendor.ts'
import { openaiVendor } from './openai/openai-vendor.ts'

/** Every vendor of hosted image models, by its name in IMAGE_PROVIDERS (`fal:MODEL`). */
export const imageVendors = { fal: falVendor, openai: openaiVendor }

export type VendorName = keyof typeof imageVendors

export const vendorNames = Object.keys(imageVendors) as VendorName[]

/** The variables of all vendors; part of the environment's schema. */
export const vendorVariables = { ...falVendor.variables, ...openaiVendor.variables }
