import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { projectFolder } from '../../project-folder.js'
import { waitUntilReady } from './visit.ts'

const run = promisify(execFile)
const maxOutputBytes = 64 * 1024 * 1024

/** Calls buildah, which builds and mounts images without a daemon (buildah(1)). */
export async function buildah(...args: string[]): Promise<string> {
  const { stdout } = await run('buildah', args, {
    cwd: projectFolder,
    maxBuffer: maxOutputBytes,
    env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
  })
  return stdout.trim()
}

/** A built image whose files lie below a folder of this machine. */
export interface MountedImage {
  readonly root: string
  /** `NAME=VALUE`. */
  readonly environment: readonly string[]
  readonly command: readonly string[]
  readonly workingFolder: string
  /** `user:group`, by number or by name of the image's `/etc/passwd`. */
  readonly user: string
  unmount(): Promise<void>
}

/** What `buildah inspect` prints, as far as it is read here (OCI image specification, 'Image configuration'). */
interface ContainerDescription {
  readonly OCIv1: {
    readonly config: {
      readonly Env: readonly string[]
      readonly Cmd: readonly string[]
      readonly WorkingDir: string
      readonly User: string
    }
  }
}

/** Makes a container of the image and mounts it. */
export async function mountImage(tag: string): Promise<MountedImage> {
  const container = await buildah('from', '--pull-never', `localhost/${tag}`)
  const root = await buildah('mount', container)
  const description = JSON.parse(await buildah('inspect', container)) as ContainerDescription
  const { Env, Cmd, WorkingDir, User } = description.OCIv1.config
  return {
    root,
    environment: Env,
    command: Cmd,
    workingFolder: WorkingDir,
    user: `${User}:${User}`,
    unmount: async () => {
      await buildah('umount', container)
      await buildah('rm', container)
    },
  }
}

/** What `docker run` would be told. */
export interface RunOptions {
  /** Mounted at `/data`. */
  readonly volume: string
  /** The program listens there, on the host's network. */
  readonly port: number
  /** `NAME=VALUE`, over those of the image. */
  readonly settings?: readonly string[]
  /** A network of its own, as an engine gives one: nobody reaches it, and it reaches nobody. */
  readonly hasOwnNetwork?: boolean
}

export interface RunningImage {
  readonly url: string
  /** Sends SIGTERM and waits; answers the milliseconds until it ended with status 0. */
  stop(): Promise<number>
  /** Ends it at once, where it still runs. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Runs the image as an engine does with `--read-only --tmpfs /tmp --security-opt no-new-privileges`:
 * as its user, with processes, mounts and System V objects of its own, on a root that can't be
 * written. Needs root.
 *
 * @throws an error with what it printed, when it ends before it is ready
 */
export async function runImage(image: MountedImage, options: RunOptions): Promise<RunningImage> {
  const { port, settings = [] } = options
  const child = spawn('unshare', unshareArguments(image, options), {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const endAtExit = () => child.kill('SIGKILL')
  process.once('exit', endAtExit)
  child.once('exit', () => process.off('exit', endAtExit))
  const ended = once(child, 'exit')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const url = `http://127.0.0.1:${port}`
  if (!(await waitUntilReady(url, () => child.exitCode !== null))) {
    throw new Error(`the image ended with ${settings.join(' ')}: ${printed}`)
  }
  return {
    url,
    stop: async () => {
      const startedAtMs = performance.now()
      process.kill(await readFirstProcess(child.pid), 'SIGTERM')
      const [code] = (await ended) as [number | null]
      if (code !== 0) throw new Error(`stopped with status ${code}: ${printed}`)
      return performance.now() - startedAtMs
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The root is bound to itself, so that it can be made read-only and carry the mounts of one run. */
const mountAndRun = `
set -e
root=$1 volume=$2 user=$3; shift 3
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o size=64m tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind "$volume" "$root/data"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs chroot --userspec="$user" "$root" "$@"
`

function unshareArguments(
  { root, user, environment, workingFolder, command }: MountedImage,
  { volume, port, settings = [], hasOwnNetwork = false }: RunOptions,
): string[] {
  const namespaces = ['--mount', '--pid', '--ipc', ...(hasOwnNetwork ? ['--net'] : [])]
  const variables = [...environment, `PORT=${port}`, ...settings]
  return [
    ...namespaces,
    '--fork',
    '--kill-child',
    'sh',
    '-c',
    mountAndRun,
    'sh',
    root,
    volume,
    user,
    'env',
    '-i',
    '-C',
    workingFolder,
    ...variables,
    ...command,
  ]
}

/** The process that `unshare` started: the program itself, as one replaced the other. */
async function readFirstProcess(unsharePid: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${unsharePid}/task/${unsharePid}/children`, 'utf8')
  return Number(children.trim())
}
