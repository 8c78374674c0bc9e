import type { SiteValues } from '../../platform/site/site-settings.ts'
import type { OperatorDetails } from './fill-blanks.ts'

/** What stands in the blanks of legal texts, as the operator has set it. */
export function operatorDetails(values: SiteValues): OperatorDetails {
  return {
    site: values['brand.name'],
    operator: values['legal.operator'],
    address: values['legal.address'],
    contact: values['brand.contactEmail'],
  }
}
