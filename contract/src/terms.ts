/** Version of the terms (18 years at least), kept at registration; a new text gets a new one. */
export const termsVersion = '2026-11-28'
