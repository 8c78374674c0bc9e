/** Pages whose texts the operator writes. No schema library here: browsers load this. */
export const legalPages = ['terms', 'privacy', 'imprint'] as const
export type LegalPageName = (typeof legalPages)[number]

/** Id of the element that carries a page's `LegalPageAnswer` as JSON, for the browser's program. */
export const legalDataId = 'legal-page'
/** Attribute of the element that holds the text of a legal page. */
export const legalTextAttribute = 'data-legal-text'
