import type { ImageSettings } from './generation/providers/image-settings.ts'

/** Services by the host that photos are sent to, as people know them. */
const knownServices: Record<string, string> = {
  'queue.fal.run': 'fal.ai',
  'api.openai.com': 'OpenAI',
}

/**
 * Who outside of this installation gets people's photos: the hosted providers of the chain, whether
 * they come first or only when another fails, and where the operator's classifier sends them. A
 * service on this very machine is not outside. Each is named once.
 */
export function photoRecipients(
  images: Pick<ImageSettings, 'fal' | 'openai'>,
  classifier: { sendsPhotosTo: string | undefined },
): string[] {
  const providers = [images.fal?.queueUrl, images.openai?.baseUrl].flatMap((address) =>
    address === undefined ? [] : outsideName(new URL(address)),
  )
  const named = classifier.sendsPhotosTo === undefined ? [] : [classifier.sendsPhotosTo]
  return [...new Set([...providers, ...named])]
}

function outsideName({ hostname }: URL): string[] {
  const isThisMachine =
    /^127(?:\.\d+){3}$/.test(hostname) ||
    hostname === '[::1]' ||
    /^(?:.+\.)?localhost$/.test(hostname)
  return isThisMachine ? [] : [knownServices[hostname] ?? hostname]
}
