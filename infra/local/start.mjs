/**
 * The entry of `npm start`. Runs on any Node, so that an old one, or packages that are not installed, cost one clear
 * line and no stack trace; the service itself begins in main.ts.
 */
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

const root = new URL('../../', import.meta.url)
const readJson = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))

/** The first package that is not installed in the version asked for. */
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
    return `Run \`npm start\` instead: it uses Node 24, this is Node ${process.versions.node}.`
  }
  return undefined
}

/**
 * glibc gives every thread an arena of its own and gives little of one back: with two the service is as fast and takes 60 MB
 * less. What is read of a store in one piece is up to a megabyte, and has pages of its own only beyond.
 */
const malloc = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '1000000', MALLOC_MMAP_THRESHOLD_: '1000000' }

/** Only a process that begins with these settings has them, so this one begins again, under its own number. */
function restartWith(settings) {
  if (process.platform !== 'linux' || process.env.MALLOC_ARENA_MAX || !process.execve) return
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
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
  // V8 lets a busy heap grow to several times what lives in it: an import of 20,000 rows took 800 MB for 120 MB of data.
  // Collecting sooner costs a few percent of processor time and keeps the process near 500 MB.
  setFlagsFromString('--heap-growing-percent=40')
  await import('./main.ts')
}
