/** That of `brand-settings.ts`, which comes in front of the script. */
declare function contrastOf(one: string, other: string): number
