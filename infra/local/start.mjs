/**
 * The entry of `npm start`. Runs on any Node, so that an old one, or packages that are not installed, cost one clear
 * line and no stack trace; the service itself begins in main.ts.
 */
import { readFileSync } from 'node:fs'

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

function obstacle() {
  const missing = missingPackage()
  if (missing) return `Run \`npm ci\` first: the package ${missing} is not installed.`
  if (Number(process.versions.node.split('.')[0]) < 24) {
    return `Run \`npm start\` instead: it brings Node 24, and this is ${process.versions.node}.`
  }
  return undefined
}

const reason = obstacle()
if (reason) {
  console.error(reason)
  process.exitCode = 1
} else {
  await import('./main.ts')
}
