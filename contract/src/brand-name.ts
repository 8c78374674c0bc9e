/** A longer name of the site is set smaller and narrower everywhere. */
export const brandNameShortMax = 18
const phoneMax = 9

/** How a site's name is set so that it fits its header: 'medium' on phones alone, 'long' everywhere. */
export const brandNameSize = (name: string): '' | 'medium' | 'long' =>
  name.length > brandNameShortMax ? 'long' : name.length > phoneMax ? 'medium' : ''
