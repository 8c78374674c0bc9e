/** The queue of stars to be cut out: up to three attempts, each of them at most three minutes. */
export const starQueue = { name: 'star-cutout', retryLimit: 2, expireInSeconds: 180 }
