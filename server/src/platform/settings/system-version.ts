import serverPackage from '../../../package.json' with { type: 'json' }

/** The version written into pictures and shown by the health calls. */
export const systemVersion: string = serverPackage.version
