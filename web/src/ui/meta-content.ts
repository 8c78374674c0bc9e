/** What the server wrote into the page's head by this property, such as `og:image`; empty where it wrote nothing. */
export const metaContent = (property: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[property="${property}"]`)?.content ?? ''
