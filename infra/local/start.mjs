/**
 * The entry point of `npm start`. It runs on any Node version, so that an old Node, or missing packages, produce one
 * clear line. The service itself starts in main.ts.
 */
import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const readJson = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))

/** The first package that is not installed in the required version. */
function missingPackage() {
  const { dependencies, devDependencies } = readJson('package.json')
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    try {
      if (readJson(`node_modules/${name}/package.json`).version !== version) return name
    } catch {
      return name
    }
  }
  return undefined
}

function startProblem() {
  const missing = missingPackage()
  if (missing) return `Run \`npm ci\` first: the package ${missing} is not installed.`
  if (Number(process.versions.node.split('.')[0]) < 24) {
    return `Run \`npm start\`: it uses the Node 24 that \`npm ci\` installed, this is Node ${process.versions.node}.`
  }
  return undefined
}

/**
 * Allocator settings: two glibc arenas instead of one per thread use 60 MB less at the same speed. The arrays of columns
 * have 128 KB and more: mapped one by one they go back to the system at once, 70 MB after an import of a million.
 */
const malloc = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '1000000', MALLOC_MMAP_THRESHOLD_: '131072' }

/**
 * Megabytes of young objects: with 32, mails of 25 MB take the process to 570 MB; with 4, a row of an import costs a fifth
 * more. And V8 lets a busy heap grow to several times its live data: collecting sooner costs a few percent of CPU time.
 */
const heap = ['--max-semi-space-size=16', '--heap-growing-percent=30']

/**
 * A process reads these settings when it starts, so this one executes itself again, with the same pid. V8's flags must not
 * change while it runs (node:v8, "setFlagsFromString").
 */
function restartWith(settings) {
  if (process.platform !== 'linux' || process.env.MALLOC_ARENA_MAX || !process.execve) return
  process.execve(process.execPath, [process.execPath, ...heap, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    ...settings,
  })
}

const reason = startProblem()
if (reason) {
  console.error(reason)
  process.exitCode = 1
} else {
  restartWith(malloc)
  await import('./main.ts')
}
