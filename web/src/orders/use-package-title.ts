import { usePublicSettings } from '../api/use-public-settings.ts'
import { useLanguage } from '../ui/language.tsx'

/** What a package is called in the reader's language; its type where it is no longer sold. */
export function usePackageTitle(): (type: string) => string {
  const { language } = useLanguage()
  const packages = usePublicSettings()?.packages ?? []
  return (type) => packages.find((sold) => sold.type === type)?.title[language] ?? type
}
