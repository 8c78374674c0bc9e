import { isThisMachine } from '../../platform/http/network-address.ts'
import type { ImageSettings } from './image-settings.ts'
import { imageVendors } from '../../vendors/image-vendors.ts'

/** Services by the host that photos are sent to, as people know them. */
const knownServices = new Map(
  Object.values(imageVendors).flatMap(({ knownHosts }) => Object.entries(knownHosts)),
)

/**
 * Who outside of this installation gets people's photos: the hosted providers of the chain, whether
 * they come first or only when another fails, and where the operator's classifier sends them. A
 * service on this very machine is not outside. Each is named once.
 */
export function photoRecipients(
  images: Pick<ImageSettings, 'vendors'>,
  classifier: { sendsPhotosTo: string | undefined },
): string[] {
  const vendors = Object.values(images.vendors).flatMap(({ photosGoTo }) =>
    outsideName(new URL(photosGoTo)),
  )
  const named = classifier.sendsPhotosTo === undefined ? [] : [classifier.sendsPhotosTo]
  return [...new Set([...vendors, ...named])]
}

function outsideName({ hostname }: URL): string[] {
  return isThisMachine(hostname) ? [] : [knownServices.get(hostname) ?? hostname]
}
