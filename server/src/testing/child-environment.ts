/**
 * What a program that a test starts inherits: nothing that would set it up, but where programs are and
 * what Node keeps of our compiled files (`npm test` says where), so that each start is half the work.
 */
export const childEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}
