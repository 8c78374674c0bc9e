/**
 * Version of the compositor's pictures: whoever changes how the same photos come out adds one; `npm
 * run examples` remakes the product's pictures, and a test fails until then.
 */
export const engineVersion = 34
