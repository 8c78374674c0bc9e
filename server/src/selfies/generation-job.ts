/** The queue of selfies: up to three attempts, each of them at most three minutes. */
export const generationQueue = { name: 'generation', retryLimit: 2, expireInSeconds: 180 }
