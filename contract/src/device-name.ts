import devices from './devices.json' with { type: 'json' }

/** Browser and system in a few words from a User-Agent header; null when it names neither. */
export function deviceName(userAgent: string | null): string | null {
  if (!userAgent) return null
  const parts = [devices.browsers, devices.systems].map(
    (table) => table.find(({ pattern }) => new RegExp(pattern).test(userAgent))?.name,
  )
  return parts.filter((part) => part !== undefined).join(', ') || null
}
