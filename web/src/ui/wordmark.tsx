import { brandNameSize } from '@starside/contract/brand-name.ts'
import { shown } from './brand.ts'
import { useMessages } from './language.tsx'

/** The product's name as it is set everywhere, or the logo that the operator has set for it. */
export function Wordmark() {
  const { productName: name } = useMessages('shell')
  const logo = shown.brand?.logo
  // The server puts the logo into the prerendered page by the mark of this element.
  return (
    <span className="display wide inline-block uppercase" data-wordmark={brandNameSize(name)}>
      {logo ? <img src={logo.url} alt={name} width={logo.widthPx} height={logo.heightPx} /> : name}
    </span>
  )
}
