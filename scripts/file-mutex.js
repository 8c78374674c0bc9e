import fs from 'node:fs'
import path from 'node:path'
import { projectFolder } from './project-folder.js'

const projectLockFile = path.join(projectFolder, '.cache', 'preparing.pid')

/**
 * Runs a step that two commands must not take at once (installing, building); the second waits.
 * @template T
 * @param {() => Promise<T>} step
 * @param {string} [lockFile] names what is prepared; the project when left out
 * @returns {Promise<T>}
 */
export async function withFileMutex(step, lockFile = projectLockFile) {
  fs.mkdirSync(path.dirname(lockFile), { recursive: true })
  for (let hasPrinted = false; !takeLock(lockFile); hasPrinted = true) {
    if (!hasPrinted) console.error('Waiting for another command that installs or builds here…')
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
  }
  const release = () => fs.rmSync(lockFile, { force: true })
  process.once('exit', release)
  try {
    return await step()
  } finally {
    process.off('exit', release)
    release()
  }
}

/** @param {string} lockFile @returns {boolean} */
function takeLock(lockFile) {
  try {
    fs.writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const holder = readHolder(lockFile)
  if (holder === undefined || isAlive(holder)) return false
  // The holder was killed. Renaming lets only one of several who wait remove what it left.
  const staleLock = `${lockFile}.${process.pid}`
  try {
    fs.renameSync(lockFile, staleLock)
    fs.rmSync(staleLock, { force: true })
  } catch {
    // Another one was quicker.
  }
  return false
}

/** @param {string} lockFile @returns {number | undefined} */
function readHolder(lockFile) {
  try {
    const pid = Number(fs.readFileSync(lockFile, 'utf8'))
    // A file without a number is being written, unless it stays so.
    if (pid > 0) return pid
    return Date.now() - fs.statSync(lockFile).mtimeMs > 5000 ? Number.MAX_SAFE_INTEGER : undefined
  } catch {
    return undefined
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
