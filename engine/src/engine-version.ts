/**
 * Version of the pictures that the embedded compositor makes. Whoever changes what a picture of
 * the same photos looks like adds one; `npm run examples` then remakes the pictures that show the
 * product, and a test fails when that was forgotten.
 */
export const engineVersion = 16
