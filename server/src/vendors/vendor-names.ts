/** Every vendor of image models, by its name in IMAGE_PROVIDERS (`fal:MODEL`). */
export const vendorNames = ['fal', 'openai', 'google', 'sdcpp', 'comfyui'] as const

export type VendorName = (typeof vendorNames)[number]
