/**
 * The queue of short network work for hosted providers: submitting a request and fetching its picture. A
 * direct provider's whole call runs here as well; its jobs hold a socket, never one of the few places
 * where pictures are made on this machine.
 */
export const attemptQueue = { name: 'image-attempt', retryLimit: 3, expireInSeconds: 900 }

/** The topic that is published when slots may have become free or wanted. */
export const slotsTopic = 'image-slots'
