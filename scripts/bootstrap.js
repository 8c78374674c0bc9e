// Every npm command begins here. Whatever Node is on the machine runs this file, so its syntax is
// that of Node 12; the rest needs Node 18.

const oldestMajor = 18
const major = Number(process.versions.node.split('.')[0])

if (major >= oldestMajor) {
  import('./run-command.js').then(({ runCommand }) => runCommand(process.argv.slice(2))).catch(fail)
} else {
  fail(
    new Error(
      `Starside needs Node ${oldestMajor} or newer to begin, and this is Node ` +
        `${process.versions.node}. Get a newer one from https://nodejs.org and run the same ` +
        'command again.',
    ),
  )
}

/** @param {unknown} error */
function fail(error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
