import { defineConfig, devices } from '@playwright/test'
import { freePort } from './free-port.ts'

/** Chosen once in the main process; the workers inherit it with the environment. */
process.env['STORIES_PORT'] ??= String(await freePort())
const storiesPort = process.env['STORIES_PORT']

/**
 * What Playwright turns off itself, as only the last list counts, and the address bar's pages, which
 * every page of a story would draw beside itself at half its cost again.
 */
const featuresOff = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
]

const browserArguments = [
  `--disable-features=${featuresOff.join(',')}`,
  // A page lives for seconds: the slower of V8's compilers costs more than it saves, and so does the
  // other one but for what computes (a proof of work). Collecting what is young after each 16 MiB
  // instead of each one saves an eighth of all that a story computes.
  '--js-flags=--no-turbofan --invocation-count-for-maglev=4000 --min-semi-space-size=16 --max-semi-space-size=32',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  // Whatever a page might ask of the environment outside this machine fails.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

export const launchOptions = {
  executablePath: process.env['HEADLESS_SHELL'] ?? chromium,
  args: browserArguments,
  // Windows that nobody asked for are blocked, as in people's browsers.
  ignoreDefaultArgs: ['--disable-popup-blocking'],
}

/** The smallest phone that every screen is made for. */
export const phoneSize = { width: 360, height: 780 }

const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 860 } }

/** The browser's stories, run against the real program on a data folder of its own. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.story.ts',
  outputDir: '../test-results',
  globalSetup: './start-program.ts',
  fullyParallel: true,
  // One more than a small machine has cores: a story waits for a fifth of its time.
  workers: 3,
  retries: 0,
  // Only what hangs is given up; a slow machine gets the time that it needs.
  timeout: 600_000,
  expect: { timeout: 600_000 },
  reporter: [['list']],
  use: {
    baseURL: `http://localhost:${storiesPort}`,
    trace: process.env['STORIES_TRACE'] ? 'retain-on-failure' : 'off',
    video: 'off',
    // What moves is drawn again and again; stories about it ask for it.
    reducedMotion: 'reduce',
    // What a story answers in place of the program must not be asked for by a worker instead; the
    // story of the installed app allows it.
    serviceWorkers: 'block',
    launchOptions,
  },
  projects: [
    {
      name: 'desktop',
      grepInvert: /@windows/,
      use: desktop,
    },
    {
      // What a browser without windows of its own doesn't do: blocking them, and a finger's hover.
      name: 'windows',
      grep: /@windows/,
      use: { ...desktop, launchOptions: { ...launchOptions, executablePath: chromium } },
    },
    {
      name: 'phone',
      // Stories whose outcome does not depend on the size of the screen run once; what those that are
      // `@resized` show is looked at in this size meanwhile.
      grepInvert: /@once|@resized|@windows/,
      use: {
        ...devices['Pixel 7'],
        viewport: phoneSize,
        deviceScaleFactor: 1,
      },
    },
  ],
})
