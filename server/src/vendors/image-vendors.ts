import { comfyuiVendor } from './comfyui/comfyui-vendor.ts'
import { falVendor } from './fal/fal-vendor.ts'
import { googleVendor } from './google/google-vendor.ts'
import { openaiVendor } from './openai/openai-vendor.ts'
import { sdcppVendor } from './sdcpp/sdcpp-vendor.ts'
import type { VendorName } from './vendor-names.ts'

/** Every vendor of hosted image models. */
export const imageVendors = {
  fal: falVendor,
  openai: openaiVendor,
  google: googleVendor,
  sdcpp: sdcppVendor,
  comfyui: comfyuiVendor,
} satisfies Record<VendorName, object>

/** The variables of all vendors; part of the environment's schema. */
export const vendorVariables = {
  ...falVendor.variables,
  ...openaiVendor.variables,
  ...googleVendor.variables,
  ...sdcppVendor.variables,
  ...comfyuiVendor.variables,
}
