let networks = 0

/**
 * The first three numbers of an IPv4 /24 that no other test of the file counts by, however often the
 * tests are run again in one program.
 */
export function newNetwork(): string {
  networks += 1
  return `10.${Math.floor(networks / 250) % 250}.${networks % 250}`
}
